package dev.tidemark.deploy.chaos.http;

import java.io.IOException;
import java.net.ConnectException;
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
import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.deploy.target.ServiceCaller.NoReplyInTimeException;
import dev.tidemark.deploy.target.ServiceCaller.Reply;
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
    void answersAWriteWithItsStatusAndVersion() throws Exception {
        Reply reply = put(url, "good", "a b", "c,d");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(RowVersion.parse(reply.json().path("version").asText())).isEqualTo(new RowVersion(1, 42));
        assertThat(put(url, "refused", "k").status()).isEqualTo(422);
        assertThat(put(url, "failed", "k").status()).isEqualTo(500);
    }

    @Test
    void encodesQueriesAndReadsMetricsAsText() throws Exception {
        String path = ServiceCaller.entriesOf("canary.by_id", Map.of("id.prefix", "a b&c"));
        assertThat(caller(url).json(path).path("query").asText()).isEqualTo("id.prefix=a%20b%26c");
        assertThat(caller(url).get("/metrics").body()).isEqualTo("a 1\n");
    }

    @Test
    void readsTheCommitClock() throws Exception {
        assertThat(caller(url).commitClock()).isEqualTo(Instant.parse("2026-11-20T14:03:07.512345Z"));
    }

    @Test
    void callsAnythingButJsonNoAnswer() {
        assertThatThrownBy(() -> caller(url).json("/v1/lag"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("expected JSON");
    }

    @Test
    void knowsThatNothingHappenedWhereNobodyListens() throws Exception {
        URI nobody;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = URI.create("http://127.0.0.1:" + socket.getLocalPort());
        }

        assertThatThrownBy(() -> put(nobody, "good", "k")).isInstanceOf(ConnectException.class);
    }

    @Test
    void givesUpOnAnAnswerThatStopsInItsMiddle() {
        ServiceCaller hasty = CALLERS.at(url, Duration.ofMillis(500));

        assertThatThrownBy(() -> hasty.json("/v1/tables"))
                .isInstanceOf(NoReplyInTimeException.class)
                .hasMessageContaining("500 ms");
    }

    private static Reply put(URI url, String table, String... key) throws Exception {
        return caller(url).write("PUT", table, List.of(key), ROW);
    }

    private static ServiceCaller caller(URI url) {
        return CALLERS.at(url, PATIENCE);
    }
}
