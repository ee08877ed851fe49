package dev.tidemark.writer.rocks;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.rocks.RocksResources;
import dev.tidemark.writer.outbox.TopicRecord;
import dev.tidemark.writer.testkit.StoreFixture;
import dev.tidemark.writer.testkit.TestTables;
import dev.tidemark.writer.testkit.TopicLedgerContract;

import static org.assertj.core.api.Assertions.assertThat;

class RocksTopicLedgerTest extends TopicLedgerContract {
    @TempDir
    private Path directory = Path.of("");

    @Override
    protected StoreFixture open() {
        return new RocksFixture(directory);
    }

    @Test
    void readsWhatAnOlderWriterNoted() throws Exception {
        RocksResources resources = new RocksResources(8 << 20, 1 << 20);
        try (resources;
                WriterDatabase database =
                        RocksFixture.open(directory.resolve("older"), TestTables.CATALOG, resources)) {
            byte[] older = "{\"id\":\"a\",\"whole\":false,\"ends\":{\"3\":5}}".getBytes(StandardCharsets.UTF_8);
            database.database.put(database.meta, MetaKeys.key(MetaKeys.TOPIC_PREFIX + "customers"), older, true);

            assertThat(new RocksTopicLedger(database).find("customers"))
                    .contains(new TopicRecord("a", false, Map.of(3, 5L), Map.of(), 0, 0));
        }
    }
}
