package dev.tidemark.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.DiskFault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

@Execution(ExecutionMode.CONCURRENT)
class HttpServerTest {
    private static final HttpSettings SETTINGS = settings(HttpLimits.USUAL);

    private final HttpClient client = HttpClient.newHttpClient();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile List<Health.Check> checks = List.of(Health.Check.well("store"));
    private HttpServer server = started();

    @BeforeEach
    void serverIsUp() {
        assertThat(server.port()).isPositive();
    }

    @AfterEach
    void stop() {
        released.countDown();
        server.close();
    }

    @Test
    void closesAConnectionThatIsSilentForLongerThanTheSettingsAllow() throws Exception {
        HttpLimits usual = HttpLimits.USUAL;
        HttpSettings settings =
                settings(new HttpLimits(usual.connections(), Duration.ofMillis(200), usual.headerPatience()));
        try (HttpServer other = HttpServer.start(
                        settings, List::of, () -> "", "/dev/tidemark/http/openapi-of-test.yaml", List.of());
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), other.port())) {
            // Far less than usual.
            socket.setSoTimeout(15_000);

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    /** Waits for as long as a connection may be silent. */
    @Tag("slow")
    @Test
    void lastsOutManyConnectionsByLettingTheFurtherOnesWaitAndTheSilentOnesGo() throws Exception {
        HttpLimits usual = HttpLimits.USUAL;
        HttpSettings settings = settings(new HttpLimits(2, usual.idle(), usual.headerPatience()));
        try (HttpServer other = HttpServer.start(
                        settings, List::of, () -> "", "/dev/tidemark/http/openapi-of-test.yaml", List.of());
                Socket silent = answered(other.port());
                Socket another = answered(other.port());
                // Answered although there is no room for it: the first one has to go for it, far sooner than usual.
                Socket further = answered(other.port())) {
            assertThat(List.of(another, further)).allMatch(Socket::isConnected);
            assertThat(silent.getInputStream().readAllBytes()).isNotEmpty();
        }
    }

    /**
     * A connection that has been answered once, in less than half the time for which one may be silent, and says
     * nothing more.
     */
    private static Socket answered(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(15_000);
        socket.getOutputStream()
                .write("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(socket.getInputStream().readNBytes(12))
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("HTTP/1.1 200");
        return socket;
    }

    @Test
    void namesWhatIsMissingWhenNotReady() throws Exception {
        checks = List.of(Health.Check.well("store"), Health.Check.unwell("relay", "broker is away"));

        HttpResponse<String> response = get("/health/ready");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("broker is away");
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void answersAnUnknownPathWithAProblem() throws Exception {
        HttpResponse<String> response = get("/nowhere");

        assertThat(problem(response, 404).path("detail").textValue()).contains("GET /nowhere");
    }

    @Test
    void answersAWrongMethodWithAProblem() throws Exception {
        HttpResponse<String> response =
                client.send(request("/health/live").DELETE().build(), BodyHandlers.ofString());

        assertThat(problem(response, 405).path("title").textValue()).isEqualTo("Method not allowed");
    }

    @Test
    void keepsTheInsidesOfAFailureInside() throws Exception {
        HttpResponse<String> response = get("/fails");

        assertThat(problem(response, 500).path("detail").textValue()).doesNotContain("secret", "Exception");
    }

    @Test
    void saysThatTheDiskFailedAndThatAnotherTryMaySucceed() throws Exception {
        HttpResponse<String> response = get("/unreadable");

        JsonNode problem = problem(response, 503);
        assertThat(problem.path("type").textValue()).isEqualTo("tidemark:disk-failed");
        assertThat(problem.path("detail").textValue()).doesNotContain("secret");
        assertThat(response.headers().firstValue("Retry-After")).contains("1");
    }

    @Test
    void breaksOffAnAnswerThatFailsInItsMiddle() throws Exception {
        String torn = raw("GET /torn?after=1 HTTP/1.1\r\nHost: x\r\n\r\n");
        String closing = raw("GET /torn?after=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        String failed = raw("GET /torn?after=0 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

        assertThat(torn).startsWith("HTTP/1.1 200").contains("piece").doesNotContain("problem", "\r\n0\r\n");
        assertThat(closing).contains("Transfer-Encoding: chunked").doesNotContain("\r\n0\r\n");
        assertThat(failed)
                .startsWith("HTTP/1.1 500")
                .contains("application/problem+json")
                .doesNotContain("piece");
    }

    @Test
    void tellsWhenToTryAgain() throws Exception {
        HttpResponse<String> response = get("/busy");

        assertThat(problem(response, 503).path("detail").textValue()).isEqualTo("later");
        assertThat(response.headers().firstValue("Retry-After")).contains("3");
    }

    @Test
    void readsAKeyWithAnyCharacterFromThePath() throws Exception {
        assertThat(get("/keys/a%2Fb,c%2Cd,%25,+,%2E%2E").body()).isEqualTo("[a/b, c,d, %, +, ..]");
    }

    @Test
    void refusesABodyThatIsTooLongWithoutReadingItAll() throws Exception {
        HttpResponse<String> response = client.send(
                request("/body").POST(BodyPublishers.ofByteArray(new byte[200])).build(), BodyHandlers.ofString());

        assertThat(problem(response, 413).path("detail").textValue()).contains("at most 100 bytes");
    }

    @Test
    void answersClientsThatSendEverythingBeforeTheyRead() throws Exception {
        String much = "x".repeat(20_000_000);
        String announced = "Content-Length: " + much.length() + "\r\n\r\n" + much;
        String chunked = String.format("Transfer-Encoding: chunked%n%n%x%n%s%n0%n%n", much.length(), much)
                .replace(System.lineSeparator(), "\r\n");
        for (String body : List.of(announced, chunked)) {
            for (String path : List.of("/body", "/nowhere", "/health/live")) {
                assertThat(raw("POST " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + body))
                        .matches("(?s)HTTP/1.1 4(13|04|05).*application/problem\\+json.*");
            }
        }
    }

    @Test
    void refusesABodyThatIsAskedForBeforeItIsSent() throws Exception {
        String answer = raw(String.join(
                "\r\n",
                "POST /body HTTP/1.1",
                "Host: x",
                "Connection: close",
                "Expect: 100-continue",
                "Content-Length: 20000000",
                "",
                ""));

        assertThat(answer).startsWith("HTTP/1.1 413").contains("at most 100 bytes");
    }

    @Test
    void answersAMalformedRequestLineWithAProblem() throws Exception {
        String answer = raw("GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 400")
                .contains("application/problem+json")
                .doesNotContain("jetty", "\tat ");
    }

    @Test
    void answersHeadersThatAreTooLongWithAProblem() throws Exception {
        String answer =
                raw("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Long: " + "x".repeat(100_000) + "\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 431").contains("application/problem+json");
    }

    @Test
    void refusesAPathAndQueryThatAreTooLong() throws Exception {
        HttpResponse<String> response = get("/health/live?x=" + "x".repeat(HttpLimits.URL_BYTES));

        assertThat(problem(response, 414).path("type").textValue()).isEqualTo("tidemark:url-too-long");
    }

    @Test
    void namesTheKindOfEachLimit() throws Exception {
        String headers =
                raw("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: " + "x".repeat(100_000) + "\r\n\r\n");
        String line = raw("GET /" + "x".repeat(100_000) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        HttpResponse<String> body = client.send(
                request("/body").POST(BodyPublishers.ofByteArray(new byte[200])).build(), BodyHandlers.ofString());

        assertThat(headers)
                .contains("\"type\":\"tidemark:headers-too-large\"")
                .contains("\"title\":\"Request header fields too large\"")
                .contains("expected request line and headers of at most 65536 bytes together, and at most 256 headers,"
                        + " but got more");
        assertThat(line)
                .startsWith("HTTP/1.1 414")
                .contains("\"type\":\"tidemark:url-too-long\"", "\"title\":\"URI too long\"")
                .contains("expected path and query of at most 49152 bytes, but got more");
        assertThat(raw("GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .contains("\"title\":\"Bad request\"");
        assertThat(problem(body, 413).path("type").textValue()).isEqualTo("tidemark:body-too-large");
    }

    @Test
    void hasNoTraceAndNoBanner() throws Exception {
        for (String method : List.of("TRACE", "TRACK", "DEBUG")) {
            String answer =
                    raw(method + " /health/live HTTP/1.1\r\nHost: x\r\nX-Secret: canary\r\nConnection: close\r\n\r\n");

            assertThat(answer)
                    .as(method)
                    .matches("(?s)HTTP/1.1 (405|404|501) .*")
                    .doesNotContain("canary");
        }
        String answer = raw("GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        assertThat(answer.toLowerCase(Locale.ROOT)).doesNotContain("jetty", "javalin", "\nserver:", "x-powered-by");
    }

    @Test
    void refusesTwoWaysToSayWhereABodyEnds() throws Exception {
        String answer = raw(String.join(
                "\r\n",
                "POST /body HTTP/1.1",
                "Host: x",
                "Content-Length: 4",
                "Transfer-Encoding: chunked",
                "Connection: close",
                "",
                "0",
                "",
                ""));

        assertThat(answer).startsWith("HTTP/1.1 400");
    }

    @Test
    void refusesWhatAPageOfAnotherSiteSends() throws Exception {
        HttpRequest.Builder post = request("/body").header("Origin", "http://evil.example");
        HttpResponse<String> refused =
                client.send(post.POST(BodyPublishers.ofString("x")).build(), BodyHandlers.ofString());
        HttpResponse<String> own = client.send(
                request("/body")
                        .header("Origin", "http://127.0.0.1:" + server.port())
                        .POST(BodyPublishers.ofString("x"))
                        .build(),
                BodyHandlers.ofString());

        assertThat(problem(refused, 403).path("type").textValue()).isEqualTo("tidemark:other-site");
        assertThat(own.statusCode()).isEqualTo(200);
    }

    @Test
    void asksForTheTypeOfABodyThatAnyPageCouldSend() throws Exception {
        HttpResponse<String> none = client.send(
                request("/typed").POST(BodyPublishers.ofString("{}")).build(), BodyHandlers.ofString());
        HttpResponse<String> given = client.send(
                request("/typed")
                        .header("Content-Type", "application/json; charset=utf-8")
                        .POST(BodyPublishers.ofString("{}"))
                        .build(),
                BodyHandlers.ofString());

        assertThat(problem(none, 415).path("detail").textValue())
                .isEqualTo("expected Content-Type application/json, but got none");
        assertThat(given.statusCode()).isEqualTo(200);
    }

    @Test
    void letsRequestsUnderWayFinishWhenItStops() throws Exception {
        server.close();
        server = start(settings(HttpLimits.USUAL, Duration.ofSeconds(10)));
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(request("/slow").GET().build(), BodyHandlers.ofString());
        assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> stopping = CompletableFuture.runAsync(server::close);

        released.countDown();

        assertThat(answer.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        stopping.get(10, TimeUnit.SECONDS);
    }

    @Test
    void letsRequestsFinishThatComeOnKeptConnectionsWhileItStops() throws Exception {
        server.close();
        server = start(settings(HttpLimits.USUAL, Duration.ofSeconds(10)));
        CompletableFuture<HttpResponse<String>> slow =
                client.sendAsync(request("/slow").GET().build(), BodyHandlers.ofString());
        assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
        try (Socket kept = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            kept.setSoTimeout(10_000);
            kept.getOutputStream().write(ascii("GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n"));
            assertThat(kept.getInputStream().read(new byte[8_192])).isPositive();
            CompletableFuture<Void> stopping = CompletableFuture.runAsync(server::close);
            await().until(() -> server.port() < 0);

            kept.getOutputStream().write(ascii("POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nx"));
            await().until(() -> server.waitingForClients() > 0);
            released.countDown();
            assertThat(slow.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            assertThatThrownBy(() -> stopping.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            kept.getOutputStream().write('y');

            assertThat(new String(kept.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200")
                    .contains("Connection: close");
            stopping.get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void isReachedAtItsUrlWhereItListensOnAnAddressWithColons() throws Exception {
        // Java listens on the IPv4 address, so the machine needs no IPv6.
        HttpSettings colons = new HttpSettings("::ffff:127.0.0.1", 0, 16, Duration.ofMillis(500));
        try (HttpServer other = start(colons)) {
            HttpRequest live = HttpRequest.newBuilder(URI.create(other.url() + "/health/live"))
                    .build();

            assertThat(client.send(live, BodyHandlers.discarding()).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void saysWhichPortIsTaken() {
        HttpSettings taken = new HttpSettings("127.0.0.1", server.port(), 16, Duration.ofSeconds(1));

        assertThatThrownBy(() -> start(taken))
                .isInstanceOf(PortInUseException.class)
                .hasMessageContaining("port " + server.port() + " on 127.0.0.1 is in use");
    }

    private HttpServer started() {
        try {
            return start(SETTINGS);
        } catch (PortInUseException e) {
            throw new AssertionError(e);
        }
    }

    /** A server that stops soon, though clients keep their connections. */
    private static HttpSettings settings(HttpLimits limits) {
        return settings(limits, Duration.ofMillis(500));
    }

    private static HttpSettings settings(HttpLimits limits, Duration drain) {
        return new HttpSettings("127.0.0.1", 0, 16, drain, limits, Set.of("x"));
    }

    private HttpServer start(HttpSettings settings) throws PortInUseException {
        return HttpServer.start(settings, () -> checks, () -> "", "/dev/tidemark/http/openapi-of-test.yaml", routes());
    }

    /** What a store throws whose disk fails. */
    private static final class Unreadable extends RuntimeException implements DiskFault {
        private static final long serialVersionUID = 1L;

        Unreadable() {
            super("secret file");
        }

        @Override
        public boolean isDiskFailure() {
            return true;
        }
    }

    /** An answer that fails after some pieces. */
    private static final class Torn implements BodyChunks {
        private int left;

        Torn(int pieces) {
            left = pieces;
        }

        @Override
        public ByteBuffer next() {
            if (left-- == 0) {
                throw new IllegalStateException("secret");
            }
            return ByteBuffer.wrap("piece".getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        public void close() {}
    }

    private List<Route> routes() {
        return List.of(
                Route.get(
                        "/torn",
                        Permission.NOTHING,
                        call -> call.result(new Torn(
                                Integer.parseInt(call.queryParams("after").get(0))))),
                Route.get("/fails", Permission.NOTHING, call -> {
                    throw new IllegalStateException("secret");
                }),
                Route.get("/unreadable", Permission.NOTHING, call -> {
                    throw new Unreadable();
                }),
                Route.get("/busy", Permission.NOTHING, call -> {
                    throw new ProblemException(Problem.retryable(503, "Busy", "later", Duration.ofSeconds(3)));
                }),
                Route.get(
                        "/keys/{key}",
                        Permission.NOTHING,
                        call -> call.result(Requests.lastSegmentParts(call).toString())),
                Route.post("/body", Permission.NOTHING, call -> call.result(call.body()))
                        .taking(call -> 100),
                Route.post("/typed", Permission.NOTHING, call -> call.result("taken"))
                        .taking(BodyRule.of(100, "application/json")),
                Route.get("/slow", Permission.NOTHING, call -> {
                    entered.countDown();
                    assertThat(released.await(10, TimeUnit.SECONDS)).isTrue();
                    call.result("done");
                }));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).GET().build(), BodyHandlers.ofString());
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(ascii(request));
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static JsonNode problem(HttpResponse<String> response, int status) throws Exception {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        JsonNode json = RowJson.parse(response.body().getBytes(StandardCharsets.UTF_8));
        assertThat(json.path("status").intValue()).isEqualTo(status);
        return json;
    }
}
