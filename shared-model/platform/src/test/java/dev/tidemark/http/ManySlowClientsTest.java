package dev.tidemark.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.testkit.SecretFiles;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** Far more slow clients than there are threads, and others beside them. */
class ManySlowClientsTest {
    private static final int THREADS = 8;
    private static final int SLOW = 200;
    private static final int LARGE = 4 << 20;
    private static final String TOKEN = "Authorization: Bearer right-0123456789-0123\r\n";
    private static final Duration WINDOW = HttpLimits.WINDOW;

    @TempDir
    private Path directory = Path.of("");

    private final List<Socket> sockets = new ArrayList<>();
    private final MemoryBudget budget = new MemoryBudget(64 << 20);
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicInteger open = new AtomicInteger();

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "POST /body, false",
        "POST /body, true",
        "POST /load, false",
        "POST /load, true",
        "POST /nowhere, false",
        "POST /nowhere, true",
        "POST /health/live, false"
    })
    void sendersTakeNoThread(String request, boolean token) throws Exception {
        try (HttpServer server = start()) {
            for (int i = 0; i < SLOW; i++) {
                send(
                        server,
                        request + " HTTP/1.1\r\nHost: localhost\r\n" + (token ? TOKEN : "")
                                + "Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{");
            }
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> server.connections() >= SLOW);

            answersOthers(server);
            assertThat(server.closeSlowClients(Instant.EPOCH)).isZero();
            assertThat(server.closeSlowClients(Instant.EPOCH.plus(WINDOW)))
                    .isEqualTo(server.waitingForClients() + SLOW);
        }
    }

    @Test
    void readersTakeNoThreadAndNoMoreMemoryThanThereIs() throws Exception {
        try (HttpServer server = start()) {
            long before = budget.reserved();
            for (int i = 0; i < SLOW; i++) {
                send(server, "GET /large HTTP/1.1\r\nHost: localhost\r\n" + TOKEN + "\r\n");
            }
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> budget.reserved() > before);

            answersOthers(server);
            assertThat(budget.reserved()).isBetween(before + 1, budget.bytes());
            assertThat(get(server, "/large").body()).contains("tidemark:no-memory");

            server.closeSlowClients(Instant.EPOCH);
            assertThat(server.closeSlowClients(Instant.EPOCH.plus(WINDOW.multipliedBy(2))))
                    .isPositive();
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> budget.reserved() == before);
            assertThat(get(server, "/large").body()).hasSize(LARGE);
        }
    }

    @Test
    void readersOfStreamsTakeNoThreadAndAreEndedWhenTheyAreTooSlow() throws Exception {
        try (HttpServer server = start()) {
            for (int i = 0; i < 20; i++) {
                send(server, "GET /pieces HTTP/1.1\r\nHost: localhost\r\n" + TOKEN + "\r\n");
            }
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> open.get() == 20);
            Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> answersOthers(server));

            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
                server.closeSlowClients(Instant.EPOCH);
                server.closeSlowClients(Instant.EPOCH.plus(WINDOW.multipliedBy(2)));
                return open.get() == 0;
            });
        }
    }

    private void answersOthers(HttpServer server) throws Exception {
        assertThat(get(server, "/health/live").statusCode()).isEqualTo(200);
        assertThat(get(server, "/small").body()).isEqualTo("small");
        HttpRequest post = request(server, "/body")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{}"))
                .build();
        assertThat(client.send(post, BodyHandlers.ofString()).body()).isEqualTo("2");
    }

    private HttpResponse<String> get(HttpServer server, String path) throws Exception {
        return client.send(request(server, path).build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(HttpServer server, String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path))
                .header("Authorization", "Bearer right-0123456789-0123")
                .timeout(Duration.ofSeconds(10));
    }

    private void send(HttpServer server, String head) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4_096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        sockets.add(socket);
        socket.getOutputStream().write(head.getBytes(US_ASCII));
    }

    private HttpServer start() throws Exception {
        Path tokens = SecretFiles.write(
                directory.resolve("tokens"),
                "{'tokens':[{'name':'right','token':'right-0123456789-0123','scopes':['admin']}]}");
        return HttpServer.start(
                new HttpSettings("127.0.0.1", 0, THREADS, Duration.ofMillis(100)),
                Security.open(
                        "127.0.0.1",
                        SecuritySettingsOf.values("auth.tokens.file", tokens),
                        List::of,
                        new ManualClock()),
                budget,
                List::of,
                () -> "",
                "/dev/tidemark/http/openapi-of-test.yaml",
                this::routes);
    }

    private List<Route> routes() {
        return List.of(
                Route.get("/small", Permission.ADMIN, call -> call.result("small")),
                Route.get("/large", Permission.ADMIN, call -> {
                    call.reserve(LARGE);
                    call.result(new byte[LARGE]);
                }),
                Route.get("/pieces", Permission.ADMIN, call -> call.result(new Endless())),
                Route.post("/body", Permission.ADMIN, call -> call.result(Integer.toString(call.body().length)))
                        .taking(BodyRule.of(1 << 20, "application/json")),
                Route.load("/load", Permission.ADMIN, call -> new Counted()));
    }

    /** An answer of which more is there than any buffer takes. */
    private final class Endless implements BodyChunks {
        Endless() {
            open.incrementAndGet();
        }

        @Override
        public ByteBuffer next() {
            return ByteBuffer.allocate(64 * 1024);
        }

        @Override
        public void close() {
            open.decrementAndGet();
        }
    }

    /** A load of which nothing becomes. */
    private static final class Counted implements StreamedBody {
        @Override
        public void take(byte[] bytes, int length) {}

        @Override
        public void end() {}

        @Override
        public void close() {}
    }
}
