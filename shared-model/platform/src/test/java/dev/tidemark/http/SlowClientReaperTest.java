package dev.tidemark.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.runtime.BoundedWait;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class SlowClientReaperTest {
    private static final Instant START = Instant.EPOCH;
    private static final Duration HEADERS = HttpLimits.USUAL.headerPatience();
    private static final Duration BODY = HttpLimits.WINDOW;

    private final CountDownLatch reading = new CountDownLatch(1);
    private final HttpServer server = started();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void closesAClientThatDoesNotEndItsHeaders() throws Exception {
        try (Socket slow = connect("GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: a")) {
            lookOnceItIsThere(START);
            send(slow, "b");

            assertThat(server.closeSlowClients(START.plus(HEADERS).minusMillis(1)))
                    .isZero();
            assertThat(server.closeSlowClients(START.plus(HEADERS))).isOne();
            assertThat(slow.getInputStream().read()).isNegative();
        }
    }

    @Test
    void leavesAClientAloneThatWaitsBetweenTwoRequests() throws Exception {
        try (Socket patient = connect("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")) {
            assertThat(patient.getInputStream().read()).isEqualTo('H');
            lookOnceItIsThere(START);

            assertThat(server.closeSlowClients(START.plus(Duration.ofDays(1)))).isZero();
        }
    }

    @Test
    void closesAClientWhoseBodyTrickles() throws Exception {
        try (Socket slow = connect("POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nx")) {
            assertThat(reading.await(10, TimeUnit.SECONDS)).isTrue();
            lookOnceItIsThere(START);
            send(slow, "x".repeat(100));

            assertThat(server.closeSlowClients(START.plus(BODY).minusMillis(1))).isZero();
            assertThat(server.closeSlowClients(START.plus(BODY))).isOne();
        }
    }

    @Test
    void closesAClientWhoseHeldLoadTrickles() throws Exception {
        try (Socket slow = beginLoad("/held")) {
            send(slow, "x".repeat(2_000));
            settle(10);

            assertThat(server.closeSlowClients(START.plus(BODY).minusMillis(1))).isZero();
            assertThat(server.closeSlowClients(START.plus(BODY))).isOne();
        }
    }

    @Test
    void leavesAClientAloneWhoseStreamedLoadIsSlower() throws Exception {
        try (Socket slow = beginLoad("/streamed")) {
            send(slow, "x".repeat(StreamedBodyReader.PIECE_BYTES));
            assertThat(reading.await(10, TimeUnit.SECONDS)).isTrue();

            assertThat(server.closeSlowClients(START.plus(BODY))).isZero();
        }
    }

    private Socket beginLoad(String path) throws IOException {
        Socket socket = connect("POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n");
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> server.waitingForClients() == 1);
        lookOnceItIsThere(START);
        return socket;
    }

    @Test
    void leavesAClientAloneWhoseBodyComesFastEnough() throws Exception {
        try (Socket steady = connect("POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nx")) {
            assertThat(reading.await(10, TimeUnit.SECONDS)).isTrue();
            lookOnceItIsThere(START);
            send(steady, "x".repeat(99_999));
            readAnswer(steady);

            assertThat(server.closeSlowClients(START.plus(BODY))).isZero();
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"/page", "/lookup", "/facts", "/events"})
    void leavesAReaderAloneThatTakesTwiceWhatItMust(String path) throws Exception {
        Duration window = BODY.multipliedBy(2);
        int step = (int) HttpLimits.BYTES_PER_WINDOW / 4;
        try (Socket reader = connect("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n")) {
            readAnswer(reader);
            settle(10);
            assertThat(server.closeSlowClients(START)).isZero();
            for (int i = 1; i <= 3; i++) {
                // Twice what must be taken in a window.
                for (int taken = 0; taken < 16; taken++) {
                    assertThat(reader.getInputStream().readNBytes(step)).hasSize(step);
                    settle(1);
                }
                settle(10);
                assertThat(server.waitingForClients()).isOne();
                assertThat(server.closeSlowClients(START.plus(window.multipliedBy(i))))
                        .as("window %s", i)
                        .isZero();
            }
        }
    }

    /** Gives the server the time to send what there is room for. */
    private static void settle(int times) throws InterruptedException {
        BoundedWait.rest(Duration.ofMillis(20).multipliedBy(times));
    }

    private static void readAnswer(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        assertThat(new String(in.readNBytes(12), US_ASCII)).isEqualTo("HTTP/1.1 200");
    }

    /** The server learns of a connection a moment later. */
    private void lookOnceItIsThere(Instant now) {
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> server.connections() == 1);
        assertThat(server.closeSlowClients(now)).isZero();
    }

    private Socket connect(String request) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(10_000);
        send(socket, request);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
        socket.getOutputStream().flush();
    }

    private HttpServer started() {
        try {
            return HttpServer.start(
                    new HttpSettings("127.0.0.1", 0, 8, Duration.ofSeconds(1), HttpLimits.USUAL, Set.of("x")),
                    List::of,
                    () -> "",
                    "/dev/tidemark/http/openapi-of-test.yaml",
                    List.of(
                            Route.post(
                                            "/body",
                                            Permission.NOTHING,
                                            call -> call.result(Integer.toString(call.body().length)))
                                    .taking(call -> {
                                        reading.countDown();
                                        return 1 << 20;
                                    }),
                            Route.load("/held", Permission.NOTHING, call -> new Load(true, reading)),
                            Route.load("/streamed", Permission.NOTHING, call -> new Load(false, reading)),
                            Route.get("/page", Permission.NOTHING, call -> call.result(new byte[8 << 20])),
                            Route.get("/lookup", Permission.NOTHING, call -> call.result(new Endless(4 << 20))),
                            Route.get("/facts", Permission.NOTHING, call -> call.result(new Endless(64 << 10))),
                            Route.get("/events", Permission.NOTHING, call -> call.result(new Chatty()))));
        } catch (PortInUseException e) {
            throw new AssertionError(e);
        }
    }

    private record Load(boolean isHeld, CountDownLatch taken) implements StreamedBody {
        @Override
        public void take(byte[] bytes, int length) {
            taken.countDown();
        }

        @Override
        public void end() {}

        @Override
        public void close() {}
    }

    /** An answer of which more is there than any client takes. */
    private static final class Endless implements BodyChunks {
        private final int bytes;

        Endless(int bytes) {
            this.bytes = bytes;
        }

        @Override
        public ByteBuffer next() {
            return ByteBuffer.allocate(bytes);
        }

        @Override
        public void close() {}
    }

    /** Has the next message once the last one is sent. */
    private static final class Chatty implements FeedPublisher {
        private volatile @Nullable Feed feed;

        @Override
        public void open(Feed opened) {
            feed = opened;
            sent();
        }

        @Override
        public void sent() {
            Objects.requireNonNull(feed).send(new byte[1_000]);
        }

        @Override
        public void closed() {}
    }
}
