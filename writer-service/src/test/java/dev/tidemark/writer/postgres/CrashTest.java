package dev.tidemark.writer.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.FactsUnavailableException;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.database.FactsSettings;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A server that crashes during commits loses none that was acknowledged, and has none twice. */
class CrashTest {
    private static final int CRASHES = 2;

    @ParameterizedTest
    @EnumSource
    void nothingIsLostAndNothingIsThereTwice(TestServer.Version version) throws Exception {
        TestServer server = TestServer.of(version);
        FactsSettings settings = server.database();
        try (PostgresFactDatabase database = PostgresFixture.open(settings)) {
            AtomicLong acknowledged = new AtomicLong();
            AtomicBoolean enough = new AtomicBoolean();
            CompletableFuture<Void> writing =
                    CompletableFuture.runAsync(() -> commitUntil(enough, database, acknowledged));
            for (int crash = 0; crash < CRASHES; crash++) {
                long before = acknowledged.get();
                await().until(() -> acknowledged.get() > before + 50);
                server.crash();
                server.start();
            }
            long before = acknowledged.get();
            await().until(() -> acknowledged.get() > before + 10);
            enough.set(true);
            writing.get();

            List<Long> all =
                    LongStream.rangeClosed(1, acknowledged.get()).boxed().toList();
            assertThat(changes(database)).isEqualTo(all);
            assertThat(database.facts()
                            .scan("customers", null, 100_000, Long.MAX_VALUE)
                            .rows())
                    .extracting(KeyedRow::stored)
                    .extracting(row -> row.version().sequence())
                    .containsExactlyElementsOf(all);
            assertThat(database.failure()).isEmpty();
        }
        server.giveBack(settings);
    }

    /** As a committer does it: after a failure the store is asked where it stands. */
    private static void commitUntil(AtomicBoolean enough, PostgresFactDatabase database, AtomicLong acknowledged) {
        while (!enough.get()) {
            try {
                long next = acknowledged.get() + 1;
                database.facts().commit(batch(put(next, next, "x")));
                acknowledged.set(next);
            } catch (FactsUnavailableException e) {
                recover(database, acknowledged);
            }
        }
    }

    private static void recover(PostgresFactDatabase database, AtomicLong acknowledged) {
        try {
            long last = database.facts().lastCommit().version().sequence();
            assertThat(last).isBetween(acknowledged.get(), acknowledged.get() + 1);
            acknowledged.set(last);
        } catch (FactsUnavailableException e) {
            // The server is not back yet, and the next commit fails in the same way.
        }
    }

    private static List<Long> changes(PostgresFactDatabase database) {
        List<Long> sequences = new ArrayList<>();
        List<CommittedChange> page = database.outbox().readAfter(0, 1_000, Long.MAX_VALUE);
        while (!page.isEmpty()) {
            page.forEach(change -> sequences.add(change.sequence()));
            page = database.outbox().readAfter(sequences.get(sequences.size() - 1), 1_000, Long.MAX_VALUE);
        }
        return sequences;
    }
}
