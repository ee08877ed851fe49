package dev.tidemark.http;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.runtime.BoundedWait;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A connection on which a client was answered is never closed without having said so, within the time for which it is
 * kept.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class KeptConnectionsTest {
    private static final int CLIENTS = 32;
    private static final Pattern KEPT = Pattern.compile("\r\nKeep-Alive: timeout=(\\d+)\r\n");

    /** Good, missing, wrong, refused before, while and after the body is there, without a body, and no HTTP at all. */
    private static final List<String> CALLS = List.of(
            "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /large HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /pieces HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /same HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
            "HEAD /large HTTP/1.1\r\nHost: x\r\n\r\n",
            "PUT /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
            "GET /health/live HTTP/1.1\r\nHost: stranger\r\n\r\n",
            "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n",
            "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nabcd",
            "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 200\r\n\r\n" + "x".repeat(200),
            "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n" + "x".repeat(200_000),
            "POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nc8\r\n" + "x".repeat(200)
                    + "\r\n0\r\n\r\n",
            "POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
            "POST /body HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 200\r\n\r\n",
            "POST /load HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(100_000),
            "POST /load?wrong HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(100_000));

    private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    private final AtomicInteger kept = new AtomicInteger();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void noneIsClosedInSilenceWhateverIsAsked() throws Exception {
        try (HttpServer server = start(HttpLimits.USUAL.connections())) {
            all(server, 200);
        }
        assertThat(kept).as("answers after which a connection was used again").hasPositiveValue();
    }

    @Test
    void noneIsClosedInSilenceWhereOthersWaitForAConnection() throws Exception {
        try (HttpServer server = start(CLIENTS / 2)) {
            all(server, 60);
        }
    }

    @Test
    void noneIsClosedInSilenceWhenTheServiceStops() throws Exception {
        HttpServer server = start(HttpLimits.USUAL.connections());
        CompletableFuture<?> clients = begin(server, Integer.MAX_VALUE);
        BoundedWait.rest(Duration.ofMillis(500));

        server.close();

        clients.get(60, TimeUnit.SECONDS);
    }

    @Test
    void eachClientGetsItsOwnAnswerWhileOthersSendWhatIsNoHttp() throws Exception {
        try (HttpServer server = start(HttpLimits.USUAL.connections())) {
            CompletableFuture<?>[] honest = new CompletableFuture<?>[CLIENTS / 8];
            for (int name = 0; name < honest.length; name++) {
                String client = "client-" + name;
                honest[name] = CompletableFuture.runAsync(() -> echo(server, client), threads);
            }
            CompletableFuture<?> all = CompletableFuture.allOf(honest);
            for (int hostile = honest.length; hostile < CLIENTS; hostile++) {
                threads.execute(() -> sendNoHttp(server, all));
            }

            all.get(120, TimeUnit.SECONDS);
        }
    }

    @Test
    void oneThatIsSilentNoLongerThanItWasToldIsAnsweredAlsoWhereThereAreTooMany() throws Exception {
        try (HttpServer server = start(2);
                Client patient = new Client(server.port())) {
            Matcher told = KEPT.matcher(patient.call("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"));
            assertThat(told.find()).isTrue();
            try (Client another = new Client(server.port())) {
                assertThat(another.call("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"))
                        .contains("\r\nConnection: close\r\n");
                another.connect();
                BoundedWait.rest(Duration.ofSeconds(Integer.parseInt(told.group(1))));

                assertThat(patient.call("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"))
                        .contains(" 200 ", "\r\nConnection: close\r\n")
                        .doesNotContain("Keep-Alive");
            }
        }
    }

    private void echo(HttpServer server, String name) {
        try (Client client = new Client(server.port())) {
            for (int i = 10_000; i < 11_000; i++) {
                String body = name + "-" + i;
                assertThat(client.call("POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n"
                                + body))
                        .contains(" 200 ")
                        .endsWith("\r\n\r\n" + body);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void sendNoHttp(HttpServer server, CompletableFuture<?> end) {
        while (!end.isDone()) {
            try (Client client = new Client(server.port())) {
                client.call("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n");
            } catch (IOException e) {
                // What becomes of its connection is no concern of the others.
            }
        }
    }

    private void all(HttpServer server, int calls) throws Exception {
        begin(server, calls).get(120, TimeUnit.SECONDS);
    }

    private CompletableFuture<?> begin(HttpServer server, int calls) {
        List<CompletableFuture<?>> running = new ArrayList<>();
        for (int seed = 0; seed < CLIENTS; seed++) {
            Random random = new Random(seed);
            running.add(CompletableFuture.runAsync(
                    () -> {
                        try (Client client = new Client(server.port())) {
                            for (int i = 0; i < calls; i++) {
                                client.call(CALLS.get(random.nextInt(CALLS.size())));
                            }
                        } catch (ConnectException e) {
                            // The service has stopped, and no connection was kept.
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    },
                    threads));
        }
        return CompletableFuture.allOf(running.toArray(CompletableFuture[]::new));
    }

    /** Keeps its connection as long as no answer says otherwise. */
    private final class Client implements AutoCloseable {
        private final int port;
        private @Nullable Socket socket;
        private InputStream in = InputStream.nullInputStream();

        Client(int port) {
            this.port = port;
        }

        void connect() throws IOException {
            Socket made = new Socket(InetAddress.getLoopbackAddress(), port);
            made.setSoTimeout(30_000);
            socket = made;
            in = new BufferedInputStream(made.getInputStream());
        }

        /** The answer to a request. */
        String call(String request) throws IOException {
            boolean answeredBefore = socket != null;
            if (!answeredBefore) {
                connect();
            }
            try {
                send(request);
                String head = head();
                String answer = head + body(request, head);
                if (head.contains("\r\nConnection: close\r\n")) {
                    close();
                } else {
                    kept.incrementAndGet();
                }
                return answer;
            } catch (EOFException | SocketException e) {
                if (answeredBefore) {
                    throw new AssertionError("Expected an answer on a kept connection to " + shown(request), e);
                }
                throw (ConnectException) new ConnectException("never answered").initCause(e);
            }
        }

        /** Where a body is refused, its answer may be there before all of it is sent. */
        private void send(String request) {
            try {
                Socket connected = socket;
                if (connected != null) {
                    connected.getOutputStream().write(request.getBytes(US_ASCII));
                }
            } catch (IOException e) {
                // Then there is no answer either, or one that says why.
            }
        }

        private String head() throws IOException {
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int next = in.read();
                if (next < 0) {
                    throw new EOFException("after " + head);
                }
                head.append((char) next);
            }
            return head.toString();
        }

        private String body(String request, String head) throws IOException {
            if (request.startsWith("HEAD") || head.startsWith("HTTP/1.1 304")) {
                return "";
            }
            String lower = head.toLowerCase(Locale.ROOT);
            if (lower.contains("transfer-encoding: chunked")) {
                return chunks();
            }
            Matcher length = Pattern.compile("content-length: (\\d+)").matcher(lower);
            assertThat(length.find()).as(head).isTrue();
            return bytes(Integer.parseInt(length.group(1)));
        }

        private String chunks() throws IOException {
            StringBuilder all = new StringBuilder();
            while (true) {
                StringBuilder line = new StringBuilder();
                while (line.indexOf("\r\n") < 0) {
                    line.append(bytes(1));
                }
                int length = Integer.parseInt(line.toString().strip(), 16);
                all.append(bytes(length));
                bytes(2);
                if (length == 0) {
                    return all.toString();
                }
            }
        }

        private String bytes(int length) throws IOException {
            byte[] read = in.readNBytes(length);
            if (read.length < length) {
                throw new EOFException("within an answer");
            }
            return new String(read, US_ASCII);
        }

        @Override
        public void close() throws IOException {
            Socket open = socket;
            socket = null;
            if (open != null) {
                open.close();
            }
        }
    }

    private static String shown(String request) {
        return request.substring(0, Math.min(150, request.length()));
    }

    private static HttpServer start(int connections) throws PortInUseException {
        HttpLimits usual = HttpLimits.USUAL;
        return HttpServer.start(
                new HttpSettings(
                        "127.0.0.1",
                        0,
                        8,
                        Duration.ofSeconds(10),
                        new HttpLimits(connections, usual.idle(), usual.headerPatience()),
                        Set.of("x")),
                List::of,
                () -> "",
                "/dev/tidemark/http/openapi-of-test.yaml",
                List.of(
                        Route.get("/large", Permission.NOTHING, call -> call.result(new byte[300_000])),
                        Route.get("/pieces", Permission.NOTHING, call -> call.result(new Few())),
                        Route.get("/same", Permission.NOTHING, call -> call.status(304)),
                        Route.post("/body", Permission.NOTHING, call -> call.result(call.body()))
                                .taking(call -> 100),
                        Route.load("/load", Permission.NOTHING, call -> {
                            if (call.queryString() != null) {
                                throw new ProblemException(Problem.badRequest("expected no query"));
                            }
                            return new Counted(call);
                        })));
    }

    /** An answer in a few pieces. */
    private static final class Few implements BodyChunks {
        private int left = 3;

        @Override
        public @Nullable ByteBuffer next() {
            return left-- == 0 ? null : ByteBuffer.allocate(50_000);
        }

        @Override
        public void close() {}
    }

    /** A load that is taken. */
    private record Counted(Call call) implements StreamedBody {
        @Override
        public void take(byte[] bytes, int length) {}

        @Override
        public void end() {
            call.result("taken");
        }

        @Override
        public void close() {}
    }
}
