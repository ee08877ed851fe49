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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.testkit.SecretFiles;

import static org.assertj.core.api.Assertions.assertThat;

class DirectCallTest {
    private static final String PATH = "/v1/tables/people/rows/7";
    private static final int MOST_BYTES = 20;

    @TempDir
    private Path directory = Path.of("");

    private final CountDownLatch slow = new CountDownLatch(1);
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server = start(Security.none());

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/tables/people/rows/7 | direct [people, 7] {} body",
                "/v1/tables/people/rows/7,b-c.d_E | direct [people, 7,b-c.d_E] {} body",
                "/v1/tables/people/rows/7?a=b%20c+d&e=%C3%A4 | direct [people, 7] {a=[b c d], e=[ä]} body"
            })
    void answersAPlainRequestDirectly(String path, String expected) throws Exception {
        HttpResponse<String> answer = put(path, "body");

        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.body()).isEqualTo(expected);
        assertThat(answer.headers().map().keySet())
                .containsExactlyInAnyOrder("content-length", "content-type", "date", "etag", "keep-alive");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/tables/people/rows/%37 | direct [people, 7] {} body",
                "/v1/tables/people/rows/7;a | direct [people, 7;a] {} body",
                "/v1/tables/people/rows/7?a=1&a=2 | direct [people, 7] {a=[1, 2]} body",
                "/v1/tables/people/rows/7?a | direct [people, 7] {a=[]} body",
                "/v1/tables/people/rows/7?a=b=c | direct [people, 7] {a=[b=c]} body"
            })
    void answersAnUnusualSpellingAsDirectly(String path, String expected) throws Exception {
        assertThat(put(path, "body").body()).isEqualTo(expected);
    }

    @Test
    void refusesAParameterThatTheCallDoesNotTakeBeforeItDoesAnything() throws Exception {
        HttpResponse<String> answer = put(PATH + "?a=1&dryrun=true&e=", "body");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("expected no parameters other than a, e, but got dryrun");
        assertThat(put(PATH + "?" + "n".repeat(100), "body").body()).contains("but got " + "n".repeat(60) + "…");
        assertThat(put(PATH + "?", "body").statusCode()).isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/tables/people/rows/declined", "/v1/tables/people/rows/failing"})
    void leavesToTheHandlerWhatCannotBeAnsweredDirectly(String path) throws Exception {
        HttpResponse<String> answer = put(path, "body");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("ordinary body");
        assertThat(put(PATH, "body", "If-Match", "*").body()).isEqualTo("ordinary body");
    }

    @Test
    void answersABodyOfUnknownLengthDirectlyAndLeavesALongOneToTheHandler() throws Exception {
        String longer = "b".repeat(MOST_BYTES + 1);

        assertThat(put(PATH, "b".repeat(MOST_BYTES)).statusCode()).isEqualTo(201);
        assertThat(put(PATH, longer).body()).isEqualTo("ordinary " + longer);
        HttpRequest chunked = request(PATH)
                .PUT(BodyPublishers.fromPublisher(BodyPublishers.ofString("body")))
                .build();
        assertThat(client.send(chunked, BodyHandlers.ofString()).body()).isEqualTo("direct [people, 7] {} body");
    }

    @Test
    void waitsForABodyThatComesInPieces() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(10_000);
            String head = "PUT " + PATH + " HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write((head + "half").getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            Thread.sleep(200);
            socket.getOutputStream().write("rest".getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .endsWith("direct [people, 7] {} halfrest");
        }
    }

    @Test
    void answersOnceWhatItWaitsForHasHappened() throws Exception {
        assertThat(put("/v1/tables/people/rows/later", "body").body()).isEqualTo("direct [people, later] {} body");
    }

    @Test
    void answersWhatFailsTooLateWithAProblem() throws Exception {
        HttpResponse<String> answer = put("/v1/tables/people/rows/broken", "body");

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(answer.body()).doesNotContain("secret");
    }

    @Test
    void asksForTokensAsTheOrdinaryRouteDoes() throws Exception {
        Path tokens = SecretFiles.write(
                directory.resolve("tokens"),
                "{'tokens':[{'name':'all','token':'writer-0123456789-0123','scopes':['write:people']},"
                        + "{'name':'none','token':'reader-0123456789-0123','scopes':['write:staff']}]}");
        server.close();
        server = start(Security.open(
                "127.0.0.1", SecuritySettingsOf.values("auth.tokens.file", tokens), List::of, new ManualClock()));

        assertThat(put(PATH, "body", "Authorization", "Bearer writer-0123456789-0123")
                        .statusCode())
                .isEqualTo(201);
        assertThat(put(PATH, "body", "Authorization", "Bearer reader-0123456789-0123")
                        .statusCode())
                .isEqualTo(403);
        assertThat(put(PATH, "body", "Authorization", "Bearer another-0123456789-0123")
                        .statusCode())
                .isEqualTo(401);
        assertThat(put(PATH, "body").statusCode()).isEqualTo(401);
    }

    @Test
    void keepsTheConnectionForTheNextRequestWhicheverWayItGoes() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(10_000);
            String more = "Host: a\r\nContent-Length: 4\r\n";
            String requests = "PUT " + PATH + " HTTP/1.1\r\n" + more + "\r\nbody"
                    + "PUT /v1/tables/people/rows/declined HTTP/1.1\r\n" + more + "\r\nbody"
                    + "PUT " + PATH + " HTTP/1.1\r\n" + more + "Connection: close\r\n\r\nlast";
            socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answers).containsSubsequence("{} body", "ordinary body", "{} last");
        }
    }

    @Test
    void answersWhatWasSentBehindARequestThatIsAnsweredLater() throws Exception {
        try (Socket socket = connect()) {
            String later = "/v1/tables/people/rows/later";
            String requests = raw(later, "one")
                    + raw(later, "two")
                    + raw("/v1/tables/people/rows/declined", "three")
                    + raw(PATH, "four")
                    + raw(later, "five");
            socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
            assertThat(upTo("{} five", socket.getInputStream()))
                    .containsSubsequence("{} one", "{} two", "ordinary three", "{} four", "{} five");
        }
    }

    @Test
    void holdsUpNobodyElseByAnOrdinaryRequestBehindOneThatIsAnsweredLater() throws Exception {
        try (Socket socket = connect()) {
            String requests =
                    raw("/v1/tables/people/rows/later", "first") + raw("/v1/tables/people/rows/slow", "second");
            socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
            upTo("{} first", socket.getInputStream());
            assertThat(put("/v1/tables/people/rows/later", "other").body()).endsWith("{} other");
            assertThat(slow.getCount()).as("still waited for").isEqualTo(1);
            slow.countDown();
            assertThat(upTo("ordinary second", socket.getInputStream())).contains("ordinary second");
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static String raw(String path, String body) {
        return "PUT " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /** What comes, up to where it ends with that. */
    private static String upTo(String end, InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            int next = in.read();
            assertThat(next).as("after %s", text).isNotNegative();
            text.append((char) next);
        }
        return text.toString();
    }

    private static Optional<CompletionStage<?>> direct(Call call) {
        if (call.body().length > MOST_BYTES || call.header("If-Match") != null) {
            return Optional.empty();
        }
        return switch (call.pathParam("key")) {
            case "declined", "slow" -> Optional.empty();
            case "failing" -> throw new IllegalStateException("secret");
            case "broken" -> Optional.of(CompletableFuture.failedFuture(new IllegalStateException("secret")));
            case "later" -> Optional.of(CompletableFuture.runAsync(() -> answer(call), call.later()));
            default -> {
                answer(call);
                yield Optional.of(CompletableFuture.completedFuture(call));
            }
        };
    }

    private static void answer(Call call) {
        call.status(201)
                .header("ETag", "\"1\"")
                .result("direct [" + call.pathParam("table") + ", " + call.pathParam("key") + "] "
                        + call.queryParamMap() + " " + new String(call.body(), StandardCharsets.UTF_8));
    }

    private void ordinary(Call call) throws InterruptedException {
        if (call.path().endsWith("/slow")) {
            assertThat(slow.await(10, TimeUnit.SECONDS)).as("released").isTrue();
        }
        call.result("ordinary " + new String(call.body(), StandardCharsets.UTF_8));
    }

    /** A call that has both. */
    private Route route() {
        return Route.put("/v1/tables/{table}/rows/{key}", Permission.WRITE_ROWS, this::ordinary)
                .reading("a", "e")
                .taking(call -> 1_000)
                .directly(DirectCallTest::direct);
    }

    private HttpServer start(Security security) {
        try {
            return HttpServer.start(
                    new HttpSettings("127.0.0.1", 0, 8, Duration.ofMillis(200), HttpLimits.USUAL, Set.of("a")),
                    security,
                    MemoryBudget.unlimited(),
                    () -> List.of(route()));
        } catch (PortInUseException e) {
            throw new AssertionError(e);
        }
    }

    private HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
        return headers.length == 0 ? request : request.headers(headers);
    }

    private HttpResponse<String> put(String path, String body, String... headers) throws Exception {
        HttpRequest request =
                request(path, headers).PUT(BodyPublishers.ofString(body)).build();
        return client.send(request, BodyHandlers.ofString());
    }
}
