package dev.tidemark.writer.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.http.PortInUseException;
import dev.tidemark.writer.http.ApiFixture.Answer;

import static org.assertj.core.api.Assertions.assertThat;

/** Lookups whose rows cannot be read, all of them or some. */
class FailingLookupTest {
    private static final String ROWS = "/v1/tables/customers/rows";

    /** More than are read at once. */
    private static final int KEYS = 100;

    private static final int PATIENCE_MILLIS = 20_000;

    private final ApiFixture api = new ApiFixture();

    FailingLookupTest() throws PortInUseException {}

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void oneThatFailsOnItsFirstPageIsAnsweredWithAProblem() {
        api.disk.failLookupsAfter(0);

        Answer answer = api.post(ROWS + ":lookup", keys());

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
    }

    @Test
    void oneThatFailsOnItsSecondPageIsBrokenOffAndNoProblemFollowsHalfAnAnswer() throws Exception {
        assertThat(api.put(ROWS + "/0", "{'customerId':0,'town':'Redmond'}").status())
                .isEqualTo(201);
        api.disk.failLookupsAfter(1);

        String answer = untilTheServerCloses("POST " + ROWS + ":lookup HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                + "Content-Type: application/json\r\nContent-Length: "
                + keys().length() + "\r\n\r\n" + keys());

        assertThat(answer).startsWith("HTTP/1.1 200 ").contains("Redmond", "null,null");
        assertThat(answer).doesNotContain("HTTP/1.1 500", "about:blank", "\"status\"", "\"detail\"", "\"to\"");
        assertThat(answer).as("an answer without its last chunk").doesNotEndWith("\r\n0\r\n\r\n");
    }

    private static String keys() {
        return IntStream.range(0, KEYS).mapToObj(String::valueOf).collect(Collectors.joining(",", "{\"keys\":[", "]}"));
    }

    private String untilTheServerCloses(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            try {
                socket.getInputStream().transferTo(answer);
            } catch (SocketException e) {
                // A reset is an end as well.
                assertThat(e).hasMessageContaining("reset");
            }
            return answer.toString(StandardCharsets.US_ASCII);
        }
    }
}
