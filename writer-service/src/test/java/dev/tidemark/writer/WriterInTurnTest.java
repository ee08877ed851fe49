package dev.tidemark.writer;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.http.HttpServer;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.CloseableStack;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.writer.postgres.InMemoryPostgres;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.SetClock;
import dev.tidemark.writer.testkit.TestTables;
import dev.tidemark.writer.testkit.WriterStores;

import static org.assertj.core.api.Assertions.assertThat;

/** Two writers of one database, with no broker to be found: the active one takes no writes, but answers. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WriterInTurnTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String ROW = "/v1/tables/customers/rows/1";

    @TempDir
    private Path directory = Path.of("");

    private final InMemoryDisk disk = new InMemoryDisk();
    private final AtomicInteger losses = new AtomicInteger();

    /** Run before each statement of a takeover. */
    private volatile Runnable statement = () -> {};

    private final InMemoryPostgres server = new InMemoryPostgres(disk, new InMemoryPostgres.Nature() {
        @Override
        public InMemoryPostgres.Fate fate() {
            if (!Thread.currentThread().getName().equals("takeover")) {
                return InMemoryPostgres.Fate.DONE;
            }
            statement.run();
            boolean lost = losses.getAndDecrement() > 0;
            return lost ? InMemoryPostgres.Fate.LOST_BEFORE : InMemoryPostgres.Fate.DONE;
        }
    });
    private final HttpClient client = HttpClient.newHttpClient();

    /** A writer, and what it has opened. */
    private record Started(HttpServer server, CloseableStack service) implements AutoCloseable {
        @Override
        public void close() {
            service.close();
        }
    }

    @Test
    void theSecondPassesRequestsOnReadsRowsItselfAndTakesOverWhenTheFirstStops() throws Exception {
        commitAsAWriterThatIsGone("");
        Started first = start("first");
        try {
            await(first, "committer");
            try (Started second = start("second")) {
                await(second, "standby");
                HttpResponse<String> ready = get(second, "/health/ready");
                assertThat(ready.statusCode()).isEqualTo(200);
                assertThat(ready.body()).contains(first.server().url());
                assertThat(get(second, "/metrics").body()).contains("tidemark_writer_active 0.0");

                assertThat(get(second, "/v1/tables").body())
                        .isEqualTo(get(first, "/v1/tables").body());
                // Only the first one knows that no broker says who leads.
                assertThat(put(second).body()).contains("another writer of this deployment");
                assertThat(get(second, ROW).body()).contains("Ghent");

                first.close();
                await(second, "committer");
                assertThat(server.holder().orElseThrow().url())
                        .isEqualTo(second.server().url());
                assertThat(get(second, "/v1/tables").statusCode()).isEqualTo(200);
                assertThat(get(second, ROW).body()).contains("Ghent");
            }
        } finally {
            first.close();
        }
        assertThat(server.holder().orElseThrow().url()).isEmpty();
    }

    @Test
    void rowsAreReadWhileNoWriterIsActive() throws Exception {
        commitAsAWriterThatIsGone("http://127.0.0.1:1");
        try (Started second = start("second")) {
            assertThat(get(second, ROW).body()).contains("Ghent");
            HttpResponse<String> refused = put(second);
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(refused.body()).contains("tidemark:writes-unavailable");

            await(second, "committer");
        }
    }

    @Test
    void aWriterWhoseConnectionsBreakWhileItTakesOverTriesAgain() throws Exception {
        commitAsAWriterThatIsGone("");
        losses.set(7);

        try (Started writer = start("first")) {
            await(writer, "committer");
            assertThat(losses).hasNonPositiveValue();
            assertThat(server.holder().orElseThrow().url())
                    .isEqualTo(writer.server().url());
            assertThat(get(writer, ROW).body()).contains("Ghent");
        }
    }

    /** Meters keep what they show first: of a takeover that fails, that would be a producer that is given up. */
    @Test
    void aTakeoverNeedsTheDatabaseNoMoreOnceTheMetersOfItsProducerAreShown() throws Exception {
        commitAsAWriterThatIsGone("");
        CompletableFuture<Started> started = new CompletableFuture<>();
        List<Boolean> shown = new CopyOnWriteArrayList<>();
        statement = () -> shown.add(showsProducer(started.join()));

        try (Started writer = start("first")) {
            started.complete(writer);
            await(writer, "committer");
            assertThat(shown).isNotEmpty().doesNotContain(true);
            assertThat(showsProducer(writer)).isTrue();
        }
    }

    private boolean showsProducer(Started writer) {
        return body(writer, "/metrics").contains("tidemark_kafka_producer_");
    }

    @Test
    void theNextWriterKnowsOfAClockThatWasSetForwardAndBackInTheMeantime() throws Exception {
        commitAsAWriterThatIsGone("");
        AtomicReference<Duration> wrong = new AtomicReference<>(Duration.ZERO);
        Clock wall = new SteadyClock(new SetClock(wrong::get), System::nanoTime);
        CloseableStack service = new CloseableStack();
        try (Started writer =
                new Started(WriterOfPostgres.start(directory.resolve("first"), server, service, wall), service)) {
            await(writer, "committer");
            wrong.set(Duration.ofHours(1));
            Instant ahead = wall.instant();
            wrong.set(Duration.ZERO);

            assertThat(BoundedWait.until(
                            () -> server.open().continuedClock().orElseThrow().isAfter(ahead),
                            PATIENCE,
                            Duration.ofMillis(20)))
                    .isTrue();
        }
    }

    private void commitAsAWriterThatIsGone(String url) {
        assertThat(server.open().terms().orElseThrow().take(Optional.empty(), url, "gone"))
                .isTrue();
        WriterStores.on(disk).facts().commit(TestTables.batch(TestTables.put(1, 1, "Ghent")));
    }

    private void await(Started writer, String check) throws Exception {
        assertThat(BoundedWait.until(
                        () -> body(writer, "/health/ready").contains("\"" + check + "\""),
                        PATIENCE,
                        Duration.ofMillis(20)))
                .as(check)
                .isTrue();
    }

    private String body(Started writer, String path) {
        try {
            return get(writer, path).body();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private HttpResponse<String> get(Started writer, String path) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(writer.server().url() + path)).build();
        return client.send(request, BodyHandlers.ofString());
    }

    private HttpResponse<String> put(Started writer) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(writer.server().url() + ROW))
                .PUT(BodyPublishers.ofString("{\"customerId\":1}"))
                .header("Content-Type", "application/json")
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private Started start(String name) throws Exception {
        CloseableStack service = new CloseableStack();
        return new Started(WriterOfPostgres.start(directory.resolve(name), server, service), service);
    }
}
