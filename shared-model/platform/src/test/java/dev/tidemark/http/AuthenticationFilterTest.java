package dev.tidemark.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.tidemark.access.FailedAttempts;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.testkit.SecretFiles;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AuthenticationFilterTest {
    private static final String TOKENS = "{'tokens':["
            + "{'name':'root','token':'root-0123456789-0123','scopes':['*']},"
            + "{'name':'admin','token':'admin-0123456789-0123','scopes':['admin']},"
            + "{'name':'meter','token':'meter-0123456789-0123','scopes':['read:metrics']},"
            + "{'name':'page','token':'page-0123456789-0123','scopes':['read:by_town']},"
            + "{'name':'other','token':'other-0123456789-0123','scopes':['read:staff.*','facts:staff']},"
            + "{'name':'loader','token':'loader-0123456789-0123','scopes':['write:people']}]}";

    private static final int MOST_PIECES = 64;

    @TempDir
    private Path directory = Path.of("");

    private final AtomicInteger pieces = new AtomicInteger();
    private final ManualClock clock = new ManualClock();
    private final HttpClient client = HttpClient.newHttpClient();
    private Path tokens = Path.of("");
    private HttpServer server = nothing();

    @BeforeEach
    void start() throws Exception {
        tokens = SecretFiles.write(directory.resolve("tokens"), TOKENS);
        Security security = Security.open(
                "127.0.0.1",
                SecuritySettingsOf.values("auth.tokens.file", tokens),
                name -> name.equals("by_town") ? List.of("people.by_town", "people.*", "by_town") : List.of(name),
                clock);
        server.close();
        server = HttpServer.start(
                new HttpSettings("127.0.0.1", 0, 8, Duration.ofMillis(200)),
                security,
                MemoryBudget.unlimited(),
                () -> List.of(Health.Check.noted("store", "a detail")),
                () -> "tidemark_x 1",
                "/dev/tidemark/http/openapi-of-test.yaml",
                this::routes);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        // Which token may do what: open, any token, admin, metrics, index, rows of people, write people.
        "none,   200 401 401 401 401 401 401",
        "root,   200 200 200 200 200 200 200",
        "admin,  200 200 200 200 403 403 403",
        "meter,  200 200 403 200 403 403 403",
        "page,   200 200 403 403 200 403 403",
        "other,  200 200 403 403 403 403 403",
        "loader, 200 200 403 403 403 200 200"
    })
    void allowsEachTokenWhatItsScopesSay(String name, String expected) throws Exception {
        String token = name.equals("none") ? "" : name + "-0123456789-0123";
        List<String> paths =
                List.of("/open", "/any", "/admin", "/metrics", "/indexes/by_town", "/rows/people", "/write/people");
        List<String> found = new ArrayList<>();
        for (String path : paths) {
            found.add(Integer.toString(get(path, token).statusCode()));
        }

        assertThat(String.join(" ", found)).isEqualTo(expected.strip());
    }

    /** 40 KiB come with the head and 40 KiB after the answer; a client that is known may go on. */
    @ParameterizedTest
    @CsvSource({"'', true", "guess-0123456789-0123, true", "page-0123456789-0123, false"})
    void readsNoMoreThanABoundOfWhatStrangersSendInVain(String token, boolean stranger) throws Exception {
        byte[] half =
                "x".repeat((int) RestReader.MOST_BYTES_OF_STRANGERS * 5 / 8).getBytes(US_ASCII);
        String head = "GET /write/people HTTP/1.1\r\nHost: localhost\r\n"
                + (token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n")
                + "Content-Length: 1000000\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(head.getBytes(US_ASCII));
            socket.getOutputStream().write(half);
            assertThat(new String(socket.getInputStream().readNBytes(11), US_ASCII))
                    .isEqualTo("HTTP/1.1 40");
            Awaitility.await().until(() -> server.waitingForClients() == 1);
            socket.getOutputStream().write(half);

            if (stranger) {
                Awaitility.await().until(() -> server.waitingForClients() == 0);
            } else {
                BoundedWait.rest(Duration.ofMillis(300));
                assertThat(server.waitingForClients()).isOne();
            }
        }
    }

    @Test
    void namesTheScopeThatIsMissing() throws Exception {
        assertThat(get("/indexes/by_town", "other-0123456789-0123").body())
                .contains("the token other lacks the scope read:people.by_town", "\"type\":\"tidemark:forbidden\"");
    }

    @Test
    void saysHowToShowAToken() throws Exception {
        HttpResponse<String> answer = get("/any", "");

        assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer realm=\"tidemark\"");
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    }

    @Test
    void refusesWhateverIsNotAToken() throws Exception {
        for (String header :
                List.of("Basic cm9vdDpyb290", "Bearer", "Bearer ", "root-0123456789-0123", "Bearer root")) {
            HttpRequest request =
                    request("/any").header("Authorization", header).build();
            assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                    .as(header)
                    .isEqualTo(401);
        }
        HttpRequest shouting = request("/any")
                .header("Authorization", "BEARER root-0123456789-0123")
                .build();
        assertThat(client.send(shouting, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }

    @Test
    void limitsAttemptsButLetsRightTokensPass() throws Exception {
        for (int i = 0; i < FailedAttempts.MOST; i++) {
            assertThat(get("/any", "guess-0123456789-" + i).statusCode()).isEqualTo(401);
        }
        HttpResponse<String> answer = get("/open", "guess-0123456789-more");

        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValue("Retry-After")).contains("60");
        assertThat(get("/any", "page-0123456789-0123").statusCode()).isEqualTo(200);
        clock.advance(FailedAttempts.WINDOW);
        assertThat(get("/any", "guess-0123456789-late").statusCode()).isEqualTo(401);
    }

    @Test
    void takesTokensThatChanged() throws Exception {
        revokeTokens();

        assertThat(get("/any", "root-0123456789-0123").statusCode()).isEqualTo(401);
        assertThat(get("/metrics", "new-0123456789-012345").body()).isEqualTo("tidemark_x 1");
    }

    @Test
    void takesNoMoreOfALoadWhoseTokenIsRevoked() throws Exception {
        try (Socket socket = sent("POST /load/people", "loader", "Transfer-Encoding: chunked")) {
            socket.getOutputStream().write(piece());
            Awaitility.await().until(() -> pieces.get() == 1);
            revokeTokens();
            socket.getOutputStream().write(piece());

            assertThat(answer(socket)).startsWith("HTTP/1.1 401").contains("tidemark:unauthorized", "1 piece taken");
            assertThat(pieces).hasValue(1);
        }
    }

    @Test
    void doesNotEndALoadWhoseTokenIsRevoked() throws Exception {
        try (Socket socket = sent("POST /load/people", "loader", "Transfer-Encoding: chunked")) {
            Awaitility.await().until(() -> server.waitingForClients() == 1);
            revokeTokens();
            socket.getOutputStream().write("0\r\n\r\n".getBytes(US_ASCII));

            assertThat(answer(socket)).startsWith("HTTP/1.1 401").contains("0 pieces taken");
        }
    }

    @Test
    void doesNothingForABodyThatComesAfterItsTokenIsRevoked() throws Exception {
        try (Socket socket = sent("GET /write/people", "loader", "Content-Length: 1")) {
            Awaitility.await().until(() -> server.waitingForClients() == 1);
            revokeTokens();
            socket.getOutputStream().write('x');

            assertThat(answer(socket)).startsWith("HTTP/1.1 401").contains("tidemark:unauthorized");
        }
    }

    @Test
    void breaksOffAnAnswerWhoseTokenIsRevoked() throws Exception {
        try (Socket socket = sent("GET /stream/people", "loader", "Connection: close")) {
            assertThat(socket.getInputStream().readNBytes(12))
                    .asString(US_ASCII)
                    .isEqualTo("HTTP/1.1 200");
            revokeTokens();

            assertThat(answer(socket)).doesNotEndWith("0\r\n\r\n");
            assertThat(pieces).hasValueLessThan(MOST_PIECES);
        }
    }

    private Socket sent(String line, String token, String header) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(10_000);
        socket.getOutputStream()
                .write((line + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "-0123456789-0123\r\n"
                                + header + "\r\n\r\n")
                        .getBytes(US_ASCII));
        return socket;
    }

    /** All that a load takes at once, as a chunk. */
    private static byte[] piece() {
        return (Integer.toHexString(StreamedBodyReader.PIECE_BYTES) + "\r\n"
                        + "x".repeat(StreamedBodyReader.PIECE_BYTES) + "\r\n")
                .getBytes(US_ASCII);
    }

    private void revokeTokens() throws IOException {
        SecretFiles.write(
                tokens, "{'tokens':[{'name':'new','token':'new-0123456789-012345','scopes':['read:metrics']}]}");
        server.refreshSecurity();
    }

    private static String answer(Socket socket) throws IOException {
        socket.shutdownOutput();
        return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }

    @Test
    void keepsTheTokensWhileTheFileIsBadAndSaysSo() throws Exception {
        SecretFiles.write(tokens, "{'tokens':[");
        server.refreshSecurity();

        assertThat(get("/any", "root-0123456789-0123").statusCode()).isEqualTo(200);
        assertThat(get("/health/ready", "root-0123456789-0123").body()).contains("file of tokens changed");
    }

    @Test
    void tellsStrangersTheStatusAloneAndOthersWhy() throws Exception {
        assertThat(get("/health/ready", "").statusCode()).isEqualTo(200);
        assertThat(get("/health/ready", "").body()).doesNotContain("a detail");
        assertThat(get("/health/ready", "page-0123456789-0123").body()).contains("a detail");
    }

    @Test
    void asksNobodyWhereNoTokensAre() throws Exception {
        try (HttpServer open = nothing()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + open.port() + "/admin"))
                    .build();
            assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void doesNotStartWithoutItsTokens() {
        assertThatThrownBy(() -> Security.open(
                        "127.0.0.1",
                        SecuritySettingsOf.values("auth.tokens.file", directory.resolve("none")),
                        List::of,
                        clock))
                .hasMessageContaining("there is none");
    }

    private HttpServer nothing() {
        try {
            return HttpServer.start(
                    new HttpSettings("127.0.0.1", 0, 8, Duration.ofMillis(200)),
                    List::of,
                    () -> "",
                    "/dev/tidemark/http/openapi-of-test.yaml",
                    routes());
        } catch (PortInUseException e) {
            throw new AssertionError(e);
        }
    }

    private List<Route> routes() {
        return List.of(
                Route.get("/open", Permission.NOTHING, call -> call.result("open")),
                Route.get("/any", Permission.TOKEN, call -> call.result("any")),
                Route.get("/admin", Permission.ADMIN, call -> call.result("admin")),
                Route.get("/indexes/{index}", Permission.READ_INDEX, call -> call.result("entries")),
                Route.get("/rows/{table}", Permission.READ_ROWS, call -> call.result("rows")),
                Route.get("/stream/{table}", Permission.READ_ROWS, call -> call.result(new Rows(pieces))),
                Route.load("/load/{table}", Permission.WRITE_ROWS, call -> new Load(call, pieces)),
                Route.get("/write/{table}", Permission.WRITE_ROWS, call -> call.result("written")));
    }

    private record Load(Call call, AtomicInteger taken) implements StreamedBody {
        @Override
        public void take(byte[] bytes, int length) {
            if (length > 0) {
                taken.incrementAndGet();
            }
        }

        @Override
        public void end() {
            call.result("ended");
        }

        @Override
        public Problem stopped(Problem problem) {
            return problem.detailed(taken.get() == 1 ? "1 piece taken" : taken.get() + " pieces taken");
        }

        @Override
        public void close() {}
    }

    /** More than a client is sent before it takes anything. */
    private record Rows(AtomicInteger made) implements BodyChunks {
        @Override
        public @Nullable ByteBuffer next() {
            return made.incrementAndGet() > MOST_PIECES ? null : ByteBuffer.allocate(1 << 20);
        }

        @Override
        public void close() {}
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    private HttpResponse<String> get(String path, String token) throws Exception {
        HttpRequest.Builder request = request(path);
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
