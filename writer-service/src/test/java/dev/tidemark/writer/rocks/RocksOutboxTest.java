package dev.tidemark.writer.rocks;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.writer.outbox.Outbox;
import dev.tidemark.writer.testkit.OutboxContract;
import dev.tidemark.writer.testkit.StoreFixture;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;

class RocksOutboxTest extends OutboxContract {
    @TempDir
    private Path directory = Path.of("");

    @Override
    protected StoreFixture open() {
        return new RocksFixture(directory);
    }

    /** Otherwise the outbox looks as if it held everything since the first change. */
    @Test
    void aTrimWhoseLastWriteIsLostWasNotDoneAtAll() throws Exception {
        Path torn = directory.resolve("torn");
        try (StoreFixture fixture = new RocksFixture(torn)) {
            fixture.stores().facts().commit(batch(put(1, 1, "a"), put(2, 2, "b"), put(3, 3, "c")));
            fixture.stores().outbox().markPublished(3);
            fixture.stores().outbox().trim(2);
        }

        loseTheLastWrite(torn);

        try (StoreFixture fixture = new RocksFixture(torn)) {
            Outbox outbox = fixture.stores().outbox();
            assertThat(outbox.lowWaterMark()).isZero();
            assertThat(outbox.readAfter(0, 10, Long.MAX_VALUE))
                    .containsExactly(put(1, 1, "a"), put(2, 2, "b"), put(3, 3, "c"));
        }
    }

    /** Cuts the write-ahead log, as a power cut does. */
    private static void loseTheLastWrite(Path database) throws IOException {
        try (Stream<Path> files = Files.list(database)) {
            Path log = files.filter(file -> file.toString().endsWith(".log"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
                channel.truncate(channel.size() - 1);
            }
        }
    }
}
