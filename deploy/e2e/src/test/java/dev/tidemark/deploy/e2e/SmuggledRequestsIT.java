package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where two programs disagree about the end of a request, a second one can hide in the first. A service refuses every
 * request whose end can be read in two ways, closes its connection, and answers nothing that follows.
 */
@ExtendWith(SharedStack.class)
class SmuggledRequestsIT {
    private static final String HIDDEN = "GET /health/live HTTP/1.1\r\nHost: %s\r\n\r\n";
    private static final int PATIENCE_MILLIS = 20_000;

    private final StackUnderTest stack;

    SmuggledRequestsIT(StackUnderTest stack) {
        this.stack = stack;
    }

    /**
     * Headers and bodies of a PUT that hides a request, by what is wrong with them; a paragraph sign stands for the
     * hidden request.
     */
    private static Map<String, String> puts() {
        Map<String, String> all = new LinkedHashMap<>();
        String chunked = "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n§";
        all.put("a length and chunks", "Content-Length: 5\r\n" + chunked);
        all.put("chunks and a length", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n§");
        all.put("two lengths", "Content-Length: 2\r\nContent-Length: 60\r\n\r\n{}§");
        all.put("two lengths in one header", "Content-Length: 2, 60\r\n\r\n{}§");
        for (String length : new String[] {"+2", "-2", "0x2", "2 2", "2a", "", "99999999999999999999"}) {
            all.put("length '" + length + "'", "Content-Length: " + length + "\r\n\r\n{}§");
        }
        for (String coding : new String[] {
            "xchunked", "identity", "chunked, identity", "gzip, chunked", "chunked, chunked", "\u000bchunked"
        }) {
            all.put("coding " + coding.strip(), "Transfer-Encoding: " + coding + "\r\n\r\n0\r\n\r\n§");
        }
        all.put("two codings", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n§");
        all.put("space before the colon", "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n§");
        all.put("folded header", "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n§");
        all.put("space before the name", " Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n§");
        all.put("CR alone in a value", "X-A: b\rContent-Length: 2\r\n\r\n{}§");
        all.put("NUL in a value", "X-A: b\u0000c\r\nContent-Length: 2\r\n\r\n{}§");
        for (String size : new String[] {"0x2", "-2", "2 2", "FFFFFFFFFFFFFFFF2", "g", ""}) {
            all.put(
                    "chunk of size '" + size + "'",
                    "Transfer-Encoding: chunked\r\n\r\n" + size + "\r\n{}\r\n0\r\n\r\n§");
        }
        all.put("chunk longer than its size", "Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n§");
        return all;
    }

    /** Request lines and hosts that can be read in two ways. */
    private static Map<String, String> heads() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("two hosts", "GET /v1/lag HTTP/1.1\r\nHost: %1$s\r\nHost: evil.example\r\n\r\n§");
        all.put("no host", "GET /v1/lag HTTP/1.1\r\n\r\n§");
        all.put("host with a path", "GET /v1/lag HTTP/1.1\r\nHost: %1$s/x\r\n\r\n§");
        all.put("two versions", "GET /v1/lag HTTP/1.1 HTTP/1.1\r\nHost: %1$s\r\n\r\n§");
        all.put("unknown version", "GET /v1/lag HTTP/3.7\r\nHost: %1$s\r\n\r\n§");
        all.put("space in the path", "GET /v1/ lag HTTP/1.1\r\nHost: %1$s\r\n\r\n§");
        all.put("NUL in the path", "GET /v1/\u0000lag HTTP/1.1\r\nHost: %1$s\r\n\r\n§");
        all.put("no method", " /v1/lag HTTP/1.1\r\nHost: %1$s\r\n\r\n§");
        return all;
    }

    @TestFactory
    Stream<DynamicTest> the_writer_answers_no_hidden_request() {
        return tests(stack.stack().writerUrl(), "PUT /v1/tables/people/rows/hidden HTTP/1.1");
    }

    @TestFactory
    Stream<DynamicTest> the_worker_answers_no_hidden_request() {
        return tests(stack.stack().workerUrl(), "POST /v1/verify HTTP/1.1");
    }

    private static Stream<DynamicTest> tests(URI service, String line) {
        String host = service.getAuthority();
        String start = line + "\r\nHost: " + host + "\r\nContent-Type: application/json\r\n";
        String hidden = HIDDEN.formatted(host);
        Stream<DynamicTest> puts = puts().entrySet().stream()
                .map(one -> test(one.getKey(), service, start + one.getValue().replace("§", hidden)));
        Stream<DynamicTest> heads = heads().entrySet().stream()
                .map(one -> test(
                        one.getKey(),
                        service,
                        one.getValue().replace("%1$s", host).replace("§", hidden)));
        return Stream.concat(puts, heads);
    }

    private static DynamicTest test(String name, URI service, String request) {
        return DynamicTest.dynamicTest(name, () -> {
            String answer = exchange(service, request);
            assertThat(answer).as(name).matches("(?s)HTTP/1\\.1 [45]\\d\\d .*");
            assertThat(answer.split("HTTP/1\\.1 \\d", -1)).as(answer).hasSize(2);
            assertThat(answer).doesNotContain("\"UP\"");
        });
    }

    /** All that comes until the service closes the connection, which it must. */
    private static String exchange(URI service, String request) throws IOException {
        try (Socket socket = new Socket(service.getHost(), service.getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            InputStream in = socket.getInputStream();
            StringBuilder all = new StringBuilder();
            try {
                for (int read = in.read(); read >= 0; read = in.read()) {
                    all.append((char) read);
                }
            } catch (SocketTimeoutException e) {
                throw new AssertionError("The connection was not closed after: " + all, e);
            } catch (IOException e) {
                // Closed with bytes unread: what had come before counts.
                all.append("");
            }
            return all.toString();
        }
    }
}
