package dev.tidemark.deploy.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.api.BulkResult;
import dev.tidemark.client.Tidemark;
import dev.tidemark.deploy.client.QueryRequest;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class HttpServicesTest {
    private final HttpServices services = new HttpServices();
    private final StubServer server = new StubServer(List.of(
            Route.get(
                    "/v1/indexes/{index}/entries",
                    Permission.NOTHING,
                    call -> call.result("{\"index\":\"" + call.pathParam("index") + "\",\"query\":\""
                            + call.queryString() + "\"}")),
            Route.get(
                    "/v1/lag",
                    Permission.NOTHING,
                    call -> call.status(503)
                            .result("{\"status\":503,\"detail\":\"not"
                                    + " yet\",\"errors\":[{\"detail\":\"first\"},\"second\"]}")),
            Route.post(
                    "/v1/tables/{table}/rows",
                    Permission.NOTHING,
                    call -> call.result("{\"committed\":"
                            + new String(call.body(), StandardCharsets.UTF_8)
                                    .lines()
                                    .count()
                            + ",\"rejected\":[],\"token\":\"" + call.contentType() + "\"}")),
            Route.get(
                    "/v1/tables/{table}/rows",
                    Permission.NOTHING,
                    call -> call.result(
                            call.queryParams("cursor").isEmpty()
                                    ? "{\"rows\":[{\"key\":1,\"version\":\"1\",\"row\":{}}],\"next\":\"a+b\"}"
                                    : "{\"rows\":[{\"key\":\""
                                            + call.queryParams("cursor").get(0)
                                            + "\",\"version\":\"1\",\"row\":{}}],\"next\":null}")),
            Route.post(
                    "/v1/tables/{table}/pause",
                    Permission.NOTHING,
                    call -> call.result("{\"table\":\"" + call.pathParam("table") + "\",\"paused\":true}")),
            Route.get(
                    "/v1/indexes/{index}/explain",
                    Permission.NOTHING,
                    call -> call.result("{\"index\":\"" + call.pathParam("index") + "\",\"query\":\""
                            + call.queryString() + "\"}")),
            Route.get(
                    "/v1/receipts/{token}",
                    Permission.NOTHING,
                    call -> call.result("{\"token\":\"" + call.pathParam("token") + "\",\"wait\":\""
                            + call.queryParams("wait").get(0) + "\"}")),
            Route.post("/v1/tables/{table}/resume", Permission.NOTHING, call -> call.result("{\"paused\":false}")),
            Route.post("/v1/slow", Permission.NOTHING, call -> Thread.sleep(1_000)),
            Route.get("/v1/slow", Permission.NOTHING, call -> Thread.sleep(1_000)),
            Route.get("/health/ready", Permission.NOTHING, call -> call.result("{}"))));

    private final URI url = server.url();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void encodesWhatAUrlCannotHold() throws ServiceException, InterruptedException {
        String query = services.worker(url)
                .query(QueryRequest.of("movies.by_actor").with("cast", "Peter O'Toole & C+o=é"))
                .path("query")
                .asText();

        assertThat(query).isEqualTo("cast=Peter%20O%27Toole%20%26%20C%2Bo%3D%C3%A9");
    }

    @Test
    void asksForExplanationsAndReceipts() throws ServiceException, InterruptedException {
        JsonNode explanation = services.worker(url).explain("t.i", List.of("a, b&c", "7"));
        assertThat(explanation.path("index").asText()).isEqualTo("t.i");
        assertThat(explanation.path("query").asText()).isEqualTo("key=a%2C%20b%26c,7");
        JsonNode receipt = services.worker(url).receipt("a_b-c", "5s");
        assertThat(receipt.path("token").asText()).isEqualTo("a_b-c");
        assertThat(receipt.path("wait").asText()).isEqualTo("5s");
    }

    @Test
    void pausesAndResumesATable() throws ServiceException, InterruptedException {
        assertThat(services.worker(url).pause("a b").path("table").asText()).isEqualTo("a b");
        assertThat(services.worker(url).resume("films").path("paused").isBoolean())
                .isTrue();
    }

    @Test
    void sendsRowsAsOneStream() throws ServiceException, InterruptedException {
        byte[] rows = "{\"a\":1}\n{\"a\":2}\n".getBytes(StandardCharsets.UTF_8);

        BulkResult result = services.writer(url).load("letters", () -> new ByteArrayInputStream(rows));

        assertThat(result.committed()).isEqualTo(2);
        assertThat(result.token()).isEqualTo("application/x-ndjson");
    }

    @Test
    void ofTwoWritersTheOneThatIsThereIsCalled() throws Exception {
        URI away = URI.create("http://127.0.0.1:" + unusedPort());
        byte[] rows = "{\"a\":1}\n".getBytes(StandardCharsets.UTF_8);

        assertThat(services.writer(away, url).scan("letters")).hasSize(2);
        assertThat(services.writer(away, url)
                        .load("letters", () -> new ByteArrayInputStream(rows))
                        .committed())
                .isEqualTo(1);
        assertThatThrownBy(() -> services.writer(away, away).scan("letters"))
                .hasMessageContaining("nothing answers at " + away + ", " + away);
    }

    @Test
    void aSourceThatFailsIsNoShorterLoad() throws IOException {
        InputStream closed = InputStream.nullInputStream();
        closed.close();
        InputStream rows = new SequenceInputStream(
                new ByteArrayInputStream("{}\n".repeat(20_000).getBytes(StandardCharsets.UTF_8)), closed);

        assertThatThrownBy(() -> services.writer(url).load("letters", () -> rows))
                .hasMessageContaining("Stream closed")
                .hasMessageContaining("may have been done");
    }

    @Test
    void anAnswerThatDoesNotComeIsSaidToBeLate() {
        Duration hasty = Duration.ofMillis(200);
        Tidemark client = Tidemark.connect(Tidemark.options()
                .connectTimeout(hasty)
                .requestTimeout(hasty)
                .retryFor(Duration.ZERO)
                .build());

        JsonCalls worker = new JsonCalls(client.at(url), "worker");

        assertThatThrownBy(() -> worker.post("/v1/slow"))
                .hasMessageContaining("no whole answer within 0.2s")
                .hasMessageContaining("may have been done");
        assertThatThrownBy(() -> worker.get("/v1/slow"))
                .hasMessageContaining("no whole answer within 0.2s")
                .hasMessageNotContaining("may have been done");
    }

    @Test
    void scansPageByPageUntilNothingFollows() throws ServiceException, InterruptedException {
        assertThat(services.writer(url).scan("letters"))
                .extracting(row -> row.key().asText())
                .containsExactly("1", "a+b");
    }

    @Test
    void saysWhatTheServiceSaid() {
        assertThatThrownBy(() -> services.worker(url).lag())
                .isInstanceOf(ServiceException.class)
                .hasMessage("the worker answered 503: not yet\n  - first\n  - second");
    }

    @Test
    void saysWhichUrlDoesNotAnswerAndWhatToStart() throws IOException {
        URI nobody = URI.create("http://127.0.0.1:" + unusedPort());

        assertThatThrownBy(() -> services.worker(nobody).lag())
                .hasMessageContaining("nothing answers at " + nobody)
                .hasMessageContaining("tidemark stack")
                .hasMessageContaining("--worker URL");
        assertThat(services.isReady(nobody)).isFalse();
    }

    @Test
    void isReadyWhenTheServiceSaysSo() {
        assertThat(services.isReady(url)).isTrue();
        server.close();
        assertThat(services.isReady(url)).isFalse();
    }

    @Test
    void refusesWhatIsNoUrlOfAService() {
        assertThatThrownBy(() -> services.worker(URI.create("localhost:8082")).lag())
                .hasMessage("expected an http:// or https:// URL, but got localhost:8082 for the worker");
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
