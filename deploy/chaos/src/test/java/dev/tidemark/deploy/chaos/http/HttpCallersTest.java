package dev.tidemark.deploy.chaos.http;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.http.StubServer;
import dev.tidemark.deploy.probe.ProbeTarget;
import dev.tidemark.deploy.probe.ProbeTarget.NoAnswerException;
import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.deploy.target.ServiceCaller.ServiceCallers;
import dev.tidemark.http.BodyChunks;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Route;
import dev.tidemark.row.RowVersion;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class HttpCallersTest {
    private static final ServiceCallers CALLERS = new HttpCallers();
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ObjectNode ROW = JsonNodeFactory.instance.objectNode().put("value", 1);

    private static final Map<String, Integer> STATUS = Map.of("refused", 422, "failed", 500);

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final StubServer server = new StubServer(List.of(
            Route.put(
                    "/v1/tables/{table}/rows/{key}",
                    Permission.NOTHING,
                    call -> call.result("{\"version\":\"0001000000000000042\"}")
                            .status(STATUS.getOrDefault(call.pathParam("table"), 200))),
            Route.get(
                    "/v1/indexes/{index}/entries",
                    Permission.NOTHING,
                    call -> call.result("{\"query\":\"" + call.queryString() + "\"}")),
            Route.get("/v1/lag", Permission.NOTHING, call -> call.result("not JSON")),
            Route.get(
                    "/v1/clock", Permission.NOTHING, call -> call.result("{\"now\":\"2026-11-20T14:03:07.512345Z\"}")),
            Route.get("/v1/tables", Permission.NOTHING, call -> call.result(new Half())),
            Route.get("/metrics", Permission.NOTHING, call -> call.result("a 1\n"))));

    private final URI url = server.url();

    /** An answer that stops in its middle. */
    private final class Half implements BodyChunks {
        private boolean begun;

        @Override
        public ByteBuffer next() throws InterruptedException {
            if (begun) {
                stopped.await();
            }
            begun = true;
            return ByteBuffer.wrap("{\"half\":".getBytes(US_ASCII));
        }

        @Override
        public void close() {}
    }

    @AfterEach
    void stop() {
        stopped.countDown();
        server.close();
    }

    @Test
    void readsTheVersionOfAWrite() throws Exception {
        assertThat(target(url).put("good", List.of("a b", "c,d"), ROW)).isEqualTo(new RowVersion(1, 42));
    }

    @Test
    void knowsARefusedWriteFromOneThatMayHaveHappened() {
        assertThatThrownBy(() -> target(url).put("refused", List.of("k"), ROW))
                .isInstanceOfSatisfying(
                        NoAnswerException.class, e -> assertThat(e.refused()).isTrue());
        assertThatThrownBy(() -> target(url).put("failed", List.of("k"), ROW))
                .isInstanceOfSatisfying(
                        NoAnswerException.class, e -> assertThat(e.refused()).isFalse());
    }

    @Test
    void encodesQueriesAndReadsMetricsAsText() throws Exception {
        String path = ServiceCaller.entriesOf("canary.by_id", Map.of("id.prefix", "a b&c"));
        assertThat(ProbeTarget.json(caller(url), path).path("query").asText()).isEqualTo("id.prefix=a%20b%26c");
        assertThat(ProbeTarget.text(caller(url), "/metrics")).isEqualTo("a 1\n");
    }

    @Test
    void readsTheCommitClock() throws Exception {
        assertThat(target(url).commitClock()).isEqualTo(Instant.parse("2026-11-20T14:03:07.512345Z"));
    }

    @Test
    void callsAnythingButJsonNoAnswer() {
        assertThatThrownBy(() -> ProbeTarget.json(caller(url), "/v1/lag")).isInstanceOf(NoAnswerException.class);
    }

    @Test
    void knowsThatNothingHappenedWhereNobodyListens() throws Exception {
        URI nobody;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = URI.create("http://127.0.0.1:" + socket.getLocalPort());
        }

        assertThatThrownBy(() -> target(nobody).put("good", List.of("k"), ROW))
                .isInstanceOfSatisfying(
                        NoAnswerException.class, e -> assertThat(e.refused()).isTrue());
    }

    @Test
    void givesUpOnAnAnswerThatStopsInItsMiddle() {
        ServiceCaller hasty = CALLERS.at(url, Duration.ofMillis(500));

        assertThatThrownBy(() -> ProbeTarget.json(hasty, "/v1/tables"))
                .isInstanceOfSatisfying(
                        NoAnswerException.class, e -> assertThat(e.refused()).isFalse())
                .hasMessageContaining("500 ms");
    }

    private static ProbeTarget target(URI url) {
        return new ProbeTarget(caller(url), List.of(caller(url)));
    }

    private static ServiceCaller caller(URI url) {
        return CALLERS.at(url, PATIENCE);
    }
}
