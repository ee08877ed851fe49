package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.writer.database.FactsSettings;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The tables of the outbox take turns; the fixture leaves a table after three changes. */
class OutboxRotationTest {
    private final TestServer server = TestServer.of(TestServer.Version.ARCHIVE_17);
    private final FactsSettings settings = server.database();
    private PostgresFactDatabase database = PostgresFixture.open(settings);

    @AfterEach
    void close() {
        database.close();
        server.giveBack(settings);
    }

    @Test
    void aSlowRelayFindsEveryChangeOnceAndInOrder() throws Exception {
        for (long sequence = 1; sequence <= 60; sequence++) {
            database.facts().commit(batch(put(sequence, sequence, "x")));
            if (sequence % 4 == 0) {
                long done = sequence / 2;
                database.outbox().markPublished(done);
                database.outbox().trim(done);
            }
            if (sequence == 30) {
                database.close();
                database = PostgresFixture.open(settings);
            }
            assertThat(FencingTest.sequences(database))
                    .isEqualTo(LongStream.rangeClosed(database.outbox().lowWaterMark() + 1, sequence)
                            .boxed()
                            .toList());
        }
        assertThat(counts().stream().mapToLong(count -> count).sum()).isBetween(30L, 50L);
        assertThat(counts()).allMatch(count -> count < 60);
    }

    @Test
    void aTableThatADumpReadsIsEmptiedLater() throws Exception {
        for (long sequence = 1; sequence <= 8; sequence++) {
            database.facts().commit(batch(put(sequence, sequence, "x")));
        }
        database.outbox().markPublished(8);
        try (Connection dump = server.connect(settings);
                Statement statement = dump.createStatement()) {
            dump.setAutoCommit(false);
            statement.execute("LOCK TABLE tidemark.outbox_0 IN ACCESS SHARE MODE");

            database.outbox().trim(5);

            assertThat(counts()).first().isEqualTo(3L);
            assertThat(FencingTest.sequences(database)).containsExactly(6L, 7L, 8L);
            // Closing a connection does not wait for the server, which would hold the lock for a moment longer.
            dump.rollback();
        }
        database.outbox().trim(6);

        assertThat(counts()).first().isEqualTo(0L);
        assertThat(FencingTest.sequences(database)).containsExactly(7L, 8L);
    }

    /** The table stays locked until the server gives that transaction up. */
    @Test
    void aWriterThatStandsStillWhileItEmptiesATableKeepsTheNextOneFromReadingForSecondsOnly() throws Exception {
        try (FlakyProxy proxy = new FlakyProxy(server.port());
                PostgresFactDatabase frozen = PostgresFixture.open(proxy.through(settings))) {
            for (long sequence = 1; sequence <= 8; sequence++) {
                frozen.facts().commit(batch(put(sequence, sequence, "x")));
            }
            frozen.outbox().markPublished(8);
            proxy.freezeAt("TRUNCATE");
            CompletableFuture<Void> emptied =
                    CompletableFuture.runAsync(() -> frozen.outbox().trim(5));
            await().until(proxy::isBroken);

            PostgresFixture.take(database);

            assertThat(FencingTest.sequences(database)).containsExactly(6L, 7L, 8L);
            assertThat(emptied).failsWithin(Duration.ofSeconds(10));
        }
    }

    private List<Long> counts() throws SQLException {
        List<Long> counts = new ArrayList<>();
        try (Connection connection = server.connect(settings);
                Statement statement = connection.createStatement()) {
            for (int slot = 0; slot < OutboxSlots.SLOTS; slot++) {
                try (ResultSet row = statement.executeQuery("SELECT count(*) FROM tidemark.outbox_" + slot)) {
                    row.next();
                    counts.add(row.getLong(1));
                }
            }
        }
        return counts;
    }
}
