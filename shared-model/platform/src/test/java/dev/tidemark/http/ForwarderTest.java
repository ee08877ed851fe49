package dev.tidemark.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.ProblemType;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.testkit.SecretFiles;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Requests to a process that passes them on to another one. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForwarderTest {
    private static final String OPEN_API = "/dev/tidemark/http/openapi-of-test.yaml";
    private static final HttpSettings SETTINGS = new HttpSettings("127.0.0.1", 0, 16, Duration.ofMillis(200));
    private static final Duration SILENCE = Duration.ofSeconds(1);
    private static final int PIECE = 64 << 10;
    private static final int PIECES = 512;
    private static final String TOKEN = "loader-0123456789-0123";

    @TempDir
    private Path directory = Path.of("");

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicLong taken = new AtomicLong();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final HttpServer active = start(new Active(), Security.none());
    private volatile Optional<URI> target = Optional.of(URI.create(active.url()));
    private final Forwarder forwarder = new Forwarder(
            ServiceClient.plain(URI.create("http://127.0.0.1:1")),
            () -> target,
            ProblemType.WRITES_UNAVAILABLE,
            SILENCE);
    private HttpServer standby = start(new Standby(), Security.none());

    /** The calls of the active process. */
    private final class Active implements ServiceRoutes {
        @Override
        public List<Route> routes() {
            BodyRule any = BodyRule.of(1 << 20, "application/json");
            return List.of(
                    Route.put("/v1/rows/{key}", Permission.NOTHING, this::echo)
                            .readingAny()
                            .taking(any),
                    Route.get("/v1/rows/{key}", Permission.NOTHING, this::echo).readingAny(),
                    Route.post("/v1/small", Permission.NOTHING, this::echo).taking(BodyRule.of(10, "application/json")),
                    Route.load("/v1/rows", Permission.NOTHING, Counted::new),
                    Route.get("/v1/all", Permission.NOTHING, call -> call.result(new Many())));
        }

        private void echo(Call call) {
            asked.add(call.method() + " " + call.path() + "?" + call.queryString());
            call.status(201)
                    .header("ETag", "\"7\"")
                    .result(call.pathParam("key") + " " + call.header("If-Match") + " " + call.header("Authorization")
                            + " " + call.header("Cookie") + " " + new String(call.body(), UTF_8));
        }
    }

    /** Counts the bytes of a load. */
    private final class Counted implements StreamedBody {
        private final Call call;
        private long bytes;

        Counted(Call call) {
            this.call = call;
        }

        @Override
        public void take(byte[] piece, int length) {
            bytes += length;
            taken.addAndGet(length);
        }

        @Override
        public void end() {
            call.result(Long.toString(bytes));
        }

        @Override
        public void close() {}
    }

    /** An answer of many pieces. */
    private final class Many implements BodyChunks {
        private int made;

        @Override
        public @Nullable ByteBuffer next() {
            taken.addAndGet(PIECE);
            return made++ == PIECES ? null : ByteBuffer.wrap(new byte[PIECE]);
        }

        @Override
        public void close() {}
    }

    /** A process that has one call of its own. */
    private final class Standby implements ServiceRoutes {
        @Override
        public List<Route> routes() {
            return List.of(Route.get("/v1/own", Permission.NOTHING, call -> call.result("own")));
        }

        @Override
        public Optional<Forwarder> forwarder() {
            return Optional.of(forwarder);
        }
    }

    @AfterEach
    void stop() {
        standby.close();
        forwarder.close();
        active.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "%2F..%2f%25", "a%7Cb", "%22%22", "x;y=1", "K%C3%B6ln"})
    void aRequestArrivesAsItWasSentAndSoDoesItsAnswer(String key) throws Exception {
        String path = "/v1/rows/" + key;
        String query = "?a=b%20c&d=%26";

        HttpResponse<String> passed = send("PUT", path + query, BodyPublishers.ofString("{\"é\":1}"), standby);
        HttpResponse<String> direct = send("PUT", path + query, BodyPublishers.ofString("{\"é\":1}"), active);

        assertThat(passed.statusCode()).isEqualTo(201);
        // No call reads cookies, so they are not passed on.
        assertThat(passed.body())
                .isEqualTo(direct.body().replace("a=b", "null"))
                .endsWith("\"6\" Bearer mine null {\"é\":1}");
        assertThat(passed.headers().firstValue("ETag")).contains("\"7\"");
        assertThat(asked).hasSize(2).allMatch(("PUT " + path + query)::equals);
    }

    @Test
    void theHeadOfAnAnswerIsPassedBackWithoutABody() throws Exception {
        HttpResponse<String> head = send("HEAD", "/v1/rows/1", BodyPublishers.noBody(), standby);

        assertThat(head.statusCode()).isEqualTo(201);
        assertThat(head.headers().firstValue("ETag")).contains("\"7\"");
        assertThat(head.body()).isEmpty();
        assertThat(send("GET", "/v1/own", BodyPublishers.noBody(), standby).body())
                .isEqualTo("own");
    }

    @Test
    void aLongBodyIsPassedOnPieceByPiece() throws Exception {
        HttpResponse<String> load = send("POST", "/v1/rows", ofPieces(), standby);

        assertThat(load.body()).isEqualTo(Long.toString((long) PIECE * PIECES));
    }

    @Test
    void aLongAnswerIsPassedBackAsFastAsTheClientTakesIt() throws Exception {
        HttpRequest request = request("GET", "/v1/all", BodyPublishers.noBody(), standby);
        HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
        try (InputStream in = answer.body()) {
            assertThat(in.readNBytes(PIECE)).hasSize(PIECE);
            // No more than what the systems, the processes and this client hold on the way.
            BoundedWait.rest(Duration.ofMillis(300));
            assertThat(taken.get()).isLessThan((long) PIECE * PIECES / 2);
            assertThat(in.readAllBytes()).hasSize(PIECE * (PIECES - 1));
        }
    }

    @Test
    void anAnswerThatComesBeforeTheBodyIsPassedBack() throws Exception {
        HttpResponse<String> refused = send("POST", "/v1/small", BodyPublishers.ofString("x".repeat(5_000)), standby);

        assertThat(refused.statusCode()).isEqualTo(413);
    }

    @Test
    void aRequestThatWasPassedOnAlreadyIsRefused() throws Exception {
        HttpRequest hop = HttpRequest.newBuilder(URI.create(standby.url() + "/v1/rows/1"))
                .header(Forwarder.HOP, "1")
                .build();

        requireNotDone(client.send(hop, BodyHandlers.ofString()));
        // Two that take each other for the active one.
        target = Optional.of(URI.create(standby.url()));
        requireNotDone(put());
        assertThat(asked).isEmpty();
    }

    @Test
    void nothingIsDoneWhileNoProcessIsActive() throws Exception {
        target = Optional.empty();
        requireNotDone(put());

        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            target = Optional.of(URI.create("http://127.0.0.1:" + gone.getLocalPort()));
        }
        requireNotDone(put());
    }

    @Test
    void aWriteWhoseConnectionIsLostMayBeDoneAndIsNotSentAgain() throws Exception {
        try (RawPeer peer = new RawPeer("", true)) {
            target = Optional.of(peer.url());

            HttpResponse<String> lost = put();

            assertThat(lost.statusCode()).isEqualTo(503);
            assertThat(lost.body()).contains("tidemark:outcome-unknown");
            assertThat(peer.heads).hasSize(1);
            HttpResponse<String> read = send("GET", "/v1/rows/1", BodyPublishers.noBody(), standby);
            assertThat(read.statusCode()).isEqualTo(503);
            assertThat(read.body()).doesNotContain("outcome-unknown");
        }
    }

    @Test
    void aLookupWhoseConnectionIsLostMayBeSentAgainAndAWriteUnderAKeyLikeItMayNot() throws Exception {
        try (RawPeer peer = new RawPeer("", true)) {
            target = Optional.of(peer.url());

            HttpResponse<String> lookup = send("POST", "/v1/rows:lookup", BodyPublishers.ofString("{}"), standby);
            assertThat(lookup.statusCode()).isEqualTo(503);
            assertThat(lookup.body()).doesNotContain("outcome-unknown");
            for (String method : List.of("PUT", "PATCH", "DELETE")) {
                HttpResponse<String> lost = send(method, "/v1/rows/a:lookup", BodyPublishers.ofString("{}"), standby);
                assertThat(lost.statusCode()).isEqualTo(503);
                assertThat(lost.body()).as(method).contains("tidemark:outcome-unknown");
            }
        }
    }

    @Test
    void aProcessThatDoesNotAnswerIsGivenUpAfterAWhile() throws Exception {
        try (RawPeer peer = new RawPeer("", false)) {
            target = Optional.of(peer.url());

            assertThat(put().body()).contains("tidemark:outcome-unknown");
        }
    }

    @Test
    void whatIsUnderWayIsGivenUpWhenTheProcessBecomesTheActiveOne() throws Exception {
        try (RawPeer peer = new RawPeer("", false)) {
            target = Optional.of(peer.url());
            CompletableFuture<HttpResponse<String>> waiting = client.sendAsync(
                    request("PUT", "/v1/rows/1", BodyPublishers.ofString("{}"), standby), BodyHandlers.ofString());
            assertThat(BoundedWait.until(() -> !peer.heads.isEmpty(), Duration.ofSeconds(20), Duration.ofMillis(1)))
                    .isTrue();

            standby.serve(List::of, () -> "", OPEN_API, new Active());
            forwarder.close();

            assertThat(waiting.get(20, TimeUnit.SECONDS).body()).contains("tidemark:outcome-unknown");
            assertThat(put().statusCode()).isEqualTo(201);
        }
    }

    @Test
    void aLoadWhoseClientBreaksOffMayBeDoneInPart() throws Exception {
        assertThat(answerToBrokenBody("POST /v1/rows", "application/x-ndjson")).contains("tidemark:outcome-unknown");
        assertThat(answerToBrokenBody("POST /v1/rows", "Application/X-NDJSON")).contains("tidemark:outcome-unknown");
        assertThat(answerToBrokenBody("PUT /v1/rows/1", "application/json")).contains("400 Bad Request");
    }

    private String answerToBrokenBody(String start, String type) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), standby.port())) {
            socket.setSoTimeout(20_000);
            String request = start + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + type
                    + "\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\nno size\r\n";
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    @Test
    void anAnswerThatBreaksOffBreaksOffForTheClient() throws Exception {
        try (RawPeer peer = new RawPeer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", true)) {
            target = Optional.of(peer.url());

            assertThatThrownBy(this::put).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aTokenIsAskedForBeforeAnythingIsPassedOn() throws Exception {
        Path tokens = SecretFiles.write(
                directory.resolve("tokens"),
                "{'tokens':[{'name':'loader','token':'" + TOKEN + "','scopes':['write:people']}]}");
        Security security = Security.open(
                "127.0.0.1", SecuritySettingsOf.values("auth.tokens.file", tokens), List::of, new SteadyClock());
        standby.close();
        standby = start(new Standby(), security);

        assertThat(put().statusCode()).isEqualTo(401);
        assertThat(asked).isEmpty();
        HttpRequest known = HttpRequest.newBuilder(URI.create(standby.url() + "/v1/rows/1"))
                .header("Authorization", "Bearer " + TOKEN)
                .build();
        assertThat(client.send(known, BodyHandlers.ofString()).body()).contains("Bearer " + TOKEN);
    }

    private static void requireNotDone(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        assertThat(answer.body()).contains("tidemark:writes-unavailable");
    }

    private HttpResponse<String> put() throws Exception {
        return send("PUT", "/v1/rows/1", BodyPublishers.ofString("{}"), standby);
    }

    private HttpResponse<String> send(String method, String path, BodyPublisher body, HttpServer to) throws Exception {
        return client.send(request(method, path, body, to), BodyHandlers.ofString());
    }

    private static HttpRequest request(String method, String path, BodyPublisher body, HttpServer to) {
        return HttpRequest.newBuilder(URI.create(to.url() + path))
                .method(method, body)
                .header("Content-Type", "application/json")
                .header("If-Match", "\"6\"")
                .header("Authorization", "Bearer mine")
                .header("Cookie", "a=b")
                .build();
    }

    private static BodyPublisher ofPieces() {
        byte[] piece = new byte[PIECE];
        return BodyPublishers.ofByteArrays(Collections.nCopies(PIECES, piece));
    }

    private static HttpServer start(ServiceRoutes routes, Security security) {
        try {
            return HttpServer.start(SETTINGS, security, MemoryBudget.unlimited(), List::of, () -> "", OPEN_API, routes);
        } catch (PortInUseException e) {
            throw new IllegalStateException(e);
        }
    }
}
