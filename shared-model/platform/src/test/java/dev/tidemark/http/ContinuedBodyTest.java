package dev.tidemark.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.ProblemType;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bodies that are refused after their client was asked for them. It sends everything before it reads, and is answered
 * all the same.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContinuedBodyTest {
    private static final HttpSettings SETTINGS = new HttpSettings("127.0.0.1", 0, 8, Duration.ofMillis(500));
    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
    private static final int MOST_BYTES = 100_000;
    private static final int PIECE = 64 << 10;
    private static final int FEW_PIECES = 96;

    /** More than the systems hold between two processes. */
    private static final int MANY_PIECES = 512;

    /** A load that fails at its first piece. */
    private static final class Failing implements StreamedBody {
        @Override
        public void take(byte[] bytes, int length) {
            throw new ProblemException(Problem.of(409, "Conflict", "refused after a piece"));
        }

        @Override
        public void end() {}

        @Override
        public void close() {}
    }

    /** Calls that refuse bodies in their middle, or pass them on. */
    private record Refusing(Optional<Forwarder> forwarder) implements ServiceRoutes {
        @Override
        public List<Route> routes() {
            return List.of(
                    Route.load("/load", Permission.NOTHING, call -> new Failing()),
                    Route.post("/body", Permission.NOTHING, call -> call.result(call.body()))
                            .taking(call -> MOST_BYTES));
        }
    }

    @Test
    void aLoadThatFailsInItsMiddleIsAnswered() throws Exception {
        try (HttpServer server = start(new Refusing(Optional.empty()))) {
            assertThat(answer(server, "/load", FEW_PIECES))
                    .startsWith("HTTP/1.1 409")
                    .contains("refused after a piece");
        }
    }

    @Test
    void aBodyThatTurnsOutTooLongIsAnswered() throws Exception {
        try (HttpServer server = start(new Refusing(Optional.empty()))) {
            assertThat(answer(server, "/body", FEW_PIECES))
                    .startsWith("HTTP/1.1 413")
                    .contains("at most " + MOST_BYTES + " bytes");
        }
    }

    @Test
    void aBodyThatAnotherProcessStopsTakingIsAnswered() throws Exception {
        try (RawPeer peer = new RawPeer("", false);
                Forwarder forwarder = new Forwarder(
                        ServiceClient.plain(URI.create("http://127.0.0.1:1")),
                        () -> Optional.of(peer.url()),
                        ProblemType.WRITES_UNAVAILABLE,
                        Duration.ofSeconds(1));
                HttpServer server = start(new Refusing(Optional.of(forwarder)))) {
            assertThat(answer(server, "/v1/elsewhere", MANY_PIECES))
                    .startsWith("HTTP/1.1 503")
                    .contains("tidemark:outcome-unknown");
        }
    }

    private static HttpServer start(ServiceRoutes routes) throws PortInUseException {
        return HttpServer.start(
                SETTINGS,
                Security.none(),
                MemoryBudget.unlimited(),
                List::of,
                () -> "",
                "/dev/tidemark/http/openapi-of-test.yaml",
                routes);
    }

    /** The answer to a client that waits until it may send its body, sends all of it, and then reads. */
    private static String answer(HttpServer server, String path, int pieces) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            InputStream in = socket.getInputStream();
            out.write(("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                            + "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n")
                    .getBytes(US_ASCII));
            assertThat(new String(in.readNBytes(CONTINUE.length()), US_ASCII)).isEqualTo(CONTINUE);
            byte[] piece = new byte[PIECE];
            for (int i = 0; i < pieces; i++) {
                out.write((Integer.toHexString(PIECE) + "\r\n").getBytes(US_ASCII));
                out.write(piece);
                out.write("\r\n".getBytes(US_ASCII));
            }
            out.write("0\r\n\r\n".getBytes(US_ASCII));
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
