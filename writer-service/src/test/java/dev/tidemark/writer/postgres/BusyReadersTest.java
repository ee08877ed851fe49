package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowJson;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.CommitterLimits;
import dev.tidemark.writer.commit.SourceRequest;
import dev.tidemark.writer.commit.StoredRow;
import dev.tidemark.writer.database.FactsSettings;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Commits while all connections for reads wait for a lock. */
class BusyReadersTest {
    private static final int CONNECTIONS = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final TestServer server = TestServer.of(TestServer.Version.ARCHIVE_17);

    @Test
    void aCommitOfASourceDoesNotWaitForOtherReaders() throws Exception {
        // Not given back, because the walks that the committer has begun for digests stay open.
        FactsSettings settings = server.database();
        try (PostgresFactDatabase database = PostgresFixture.open(settings);
                Connection blocker = server.connect(settings);
                Statement lock = blocker.createStatement()) {
            database.facts().commit(batch(put(1, 1, "a")));
            Committer committer = committer(database);
            assertThat(committer.doWork()).isZero();
            blocker.setAutoCommit(false);
            lock.execute("LOCK TABLE tidemark.f_customers IN ACCESS EXCLUSIVE MODE");
            List<CompletableFuture<StoredRow>> reads = Stream.generate(() -> CompletableFuture.supplyAsync(
                            () -> database.facts().find("customers", customerKey(1)), task -> new Thread(task).start()))
                    .limit(CONNECTIONS)
                    .toList();
            await().atMost(PATIENCE)
                    .until(() -> database.gauges().get(0).value().getAsDouble() == CONNECTIONS);

            CompletableFuture<List<CommitOutcome>> outcomes = committer.submit(first(), Duration.ZERO);
            CompletableFuture<Void> work = CompletableFuture.runAsync(() -> step(committer));

            assertThat(outcomes).succeedsWithin(Duration.ofSeconds(1));
            assertThat(database.facts().currentCommit().version()).isEqualTo(TestTables.version(1));
            blocker.rollback();
            assertThat(work).succeedsWithin(PATIENCE);
            assertThat(reads).allSatisfy(read -> assertThat(read).succeedsWithin(PATIENCE));
            assertThat(database.facts().sourcePosition("shop")).isPresent();
        }
    }

    private static SourceRequest first() {
        return new SourceRequest(
                "shop",
                Map.of(),
                Optional.empty(),
                RowJson.mapper().createObjectNode().put("lsn", 1),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                false);
    }

    private static Committer committer(PostgresFactDatabase database) {
        return new Committer(
                database.facts(),
                TestTables.digests(database.facts()),
                TestTables::rules,
                new CommitterLimits(3, 10_000, 100, Duration.ofMillis(1)),
                new MemoryBudget(1 << 20).part("queue", 1),
                table -> Optional.empty(),
                new ManualClock(),
                List.of());
    }

    private static void step(Committer committer) {
        try {
            committer.doWork();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
