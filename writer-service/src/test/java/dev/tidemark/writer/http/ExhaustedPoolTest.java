package dev.tidemark.writer.http;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.database.FactsSettings;
import dev.tidemark.writer.http.ApiFixture.Answer;
import dev.tidemark.writer.leader.CommitTerms;
import dev.tidemark.writer.postgres.PostgresFactDatabase;
import dev.tidemark.writer.postgres.TestServer;
import dev.tidemark.writer.testkit.TestTables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Reads of rows in PostgreSQL while all connections for reads wait for a lock. */
@Tag("slow")
class ExhaustedPoolTest {
    private static final String CUSTOMER = "/v1/tables/customers/rows/1";
    private static final String MOVIE = "/v1/tables/movies/rows/Heat,1995";
    private static final String HEAT = "{'title':'Heat','year':1995}";
    private static final int CONNECTIONS = 10;

    /** Longer than a read waits for a connection, and shorter than the server lets a statement wait for a lock. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Test
    void aReadIsRefusedInTimeAndNothingElseIsHeldUp() throws Exception {
        TestServer server = TestServer.of(TestServer.Version.ARCHIVE_17);
        // Not given back, because the walks that the committer has begun for digests stay open.
        FactsSettings settings = server.database();
        try (PostgresFactDatabase database =
                PostgresFactDatabase.open(settings, TestTables.CATALOG, 0, new FactsDamage(), Clock.systemUTC())) {
            CommitTerms terms = database.terms().orElseThrow();
            assertThat(terms.take(terms.holder(), "http://127.0.0.1:8081", "here"))
                    .isTrue();
            try (ApiFixture api = new ApiFixture(database.facts());
                    Connection blocker = server.connect(settings);
                    Statement lock = blocker.createStatement()) {
                assertThat(api.put(CUSTOMER, "{'customerId':1}").status()).isEqualTo(201);
                assertThat(api.put(MOVIE, HEAT).status()).isEqualTo(201);
                blocker.setAutoCommit(false);
                lock.execute("LOCK TABLE tidemark.f_customers IN ACCESS EXCLUSIVE MODE");
                List<CompletableFuture<Answer>> blocked = Stream.generate(() -> CompletableFuture.supplyAsync(
                                () -> api.get(CUSTOMER), task -> new Thread(task).start()))
                        .limit(CONNECTIONS)
                        .toList();
                await().atMost(PATIENCE).until(() -> active(database) == CONNECTIONS);

                requireRefused(CompletableFuture.supplyAsync(() -> api.get(MOVIE)));
                requireWritesAndHealth(api);
                assertThat(blocked).noneMatch(CompletableFuture::isDone);
                blocker.rollback();

                assertThat(blocked)
                        .allSatisfy(read ->
                                assertThat(read).succeedsWithin(PATIENCE).satisfies(ExhaustedPoolTest::requireOk));
                requireOk(api.get(MOVIE));
            }
        }
    }

    private static void requireRefused(CompletableFuture<Answer> read) {
        assertThat(read).succeedsWithin(PATIENCE).satisfies(answer -> {
            assertThat(answer.status()).as("%s", answer).isEqualTo(503);
            assertThat(answer.body().path("type").asText()).isEqualTo("tidemark:facts-unavailable");
            assertThat(answer.header("retry-after")).matches("[1-9]\\d*");
        });
    }

    private static void requireWritesAndHealth(ApiFixture api) {
        requireOk(api.put(MOVIE, HEAT));
        requireOk(api.patch(MOVIE, "{'stars':5}"));
        requireOk(api.load("/v1/tables/movies/rows", HEAT));
        requireOk(api.get("/health/live"));
        requireOk(api.get("/health/ready"));
    }

    private static void requireOk(Answer answer) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
    }

    private static double active(PostgresFactDatabase database) {
        return database.gauges().stream()
                .filter(gauge -> gauge.name().equals("postgres.readers.active"))
                .findFirst()
                .orElseThrow()
                .value()
                .getAsDouble();
    }
}
