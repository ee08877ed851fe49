package dev.tidemark.deploy.bench.rocks;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.rocks.RocksTable;

import static org.assertj.core.api.Assertions.assertThat;

final class OutboxSizesTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void readsTheBytesOfEachChangeInTheirOrder() {
        try (RocksResources resources = new RocksResources(8 << 20, 1 << 20);
                RocksDatabase database =
                        RocksDatabase.open(directory.resolve("facts"), List.of("facts", "outbox"), resources)) {
            RocksTable outbox = database.table("outbox");
            database.put(outbox, new byte[] {2}, new byte[10], false);
            database.put(outbox, new byte[] {1}, new byte[5], true);
            database.put(database.table("facts"), new byte[] {3}, new byte[7], true);
        }

        assertThat(OutboxSizes.of(directory)).containsExactly(6, 11);
    }
}
