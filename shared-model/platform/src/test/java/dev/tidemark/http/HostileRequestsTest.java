package dev.tidemark.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.memory.MemoryBudget;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

/** Requests that no tool of ours would send, byte by byte. */
class HostileRequestsTest {
    private final AtomicInteger done = new AtomicInteger();
    private final HttpServer server = started();

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "localhost:8081",
                "LOCALHOST",
                "127.0.0.1",
                "127.8.9.10:80",
                "[::1]:8082",
                "proxy.example",
                "Proxy.Example:443"
            })
    void answersToTheNamesItHas(String host) throws IOException {
        assertThat(raw("GET /things/a HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8081",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "10.0.0.1"
            })
    void answersNoRequestForAnotherHost(String host) throws IOException {
        for (String path : List.of("/things/a", "/health/live", "/nowhere")) {
            assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 421")
                    .contains("tidemark:unknown-host", "http.allowed.hosts");
        }
        assertThat(raw("POST /things/a HTTP/1.1\r\nHost: " + host
                        + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 421");
        assertThat(done).hasValue(0);
    }

    @Test
    void answersWithoutAHostWhereHttpAllowsThat() throws IOException {
        assertThat(raw("GET /things/a HTTP/1.0\r\n\r\n")).contains(" 200 ");
        assertThat(raw("GET /things/a HTTP/1.1\r\nConnection: close\r\n\r\n")).startsWith("HTTP/1.1 400");
    }

    @ParameterizedTest
    @CsvSource({
        "Sec-Fetch-Site: cross-site, 403",
        "Sec-Fetch-Site: same-site, 403",
        "Sec-Fetch-Site: same-origin, 200",
        "Sec-Fetch-Site: none, 200",
        "Origin: http://evil.example, 403",
        "Origin: null, 403",
        "Origin: http://localhost, 200"
    })
    void changesNothingForAPageOfAnotherSite(String header, int status) throws IOException {
        for (String method : List.of("POST", "DELETE")) {
            assertThat(raw(method + " /things/a HTTP/1.1\r\nHost: localhost\r\n" + header
                            + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 " + status);
        }
        assertThat(done).hasValue(status == 200 ? 2 : 0);
        assertThat(raw("GET /things/a HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void doesWhatTheMethodSaysAndNoHeader() throws IOException {
        for (String name : List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override")) {
            assertThat(raw("GET /things/a HTTP/1.1\r\nHost: localhost\r\n" + name
                            + ": DELETE\r\nConnection: close\r\n\r\n"))
                    .endsWith("read a {}");
        }
        assertThat(done).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({
        "town=%ff, town",
        "town=%c0%80, town",
        "town=%ed%a0%80, town",
        "town=%zz, town",
        "town=%4, town",
        "a=1&%zz, %zz",
        "a=1&%e2%82, %e2%82",
        "a=1&b%=2, b%"
    })
    void namesTheParameterThatIsNotText(String query, String name) throws IOException {
        assertThat(raw("GET /things/a?" + query + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("expected parameter " + name + " to be percent-encoded UTF-8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/things/a", "/health/live", "/metrics"})
    void refusesMoreParametersThanAnyCallTakes(String path) throws IOException {
        assertThat(raw("GET " + path + "?" + "x&".repeat(10_000)
                        + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx"))
                .startsWith("HTTP/1.1 400")
                .contains("expected a query of at most 256 parameters, but got 10001");
        assertThat(raw("GET " + path + "?" + "x&".repeat(255)
                        + "x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
    }

    /** The request has no end, so it is refused while its headers come. */
    @Test
    void refusesMoreHeadersThanAnyClientSends() throws IOException {
        assertThat(raw("GET /things/a HTTP/1.1\r\nHost: localhost\r\n" + "a:\r\n".repeat(300)))
                .startsWith("HTTP/1.1 431")
                .contains("tidemark:headers-too-large", "at most 256 headers", "Connection: close");
    }

    @Test
    void countsTheHeadersOfEachRequestOfAConnection() throws IOException {
        String request = "GET /things/a HTTP/1.1\r\nHost: localhost\r\n" + "a:\r\n".repeat(200);

        assertThat(raw(request + "\r\n" + request + "Connection: close\r\n\r\n").split("HTTP/1.1 200", -1))
                .hasSize(3);
    }

    @Test
    void refusesMoreTrailersThanAnyClientSends() throws IOException {
        String head = "POST /things/a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";

        assertThat(raw(head + "Transfer-Encoding: chunked\r\n\r\n0\r\n" + "a:\r\n".repeat(256) + "\r\n"))
                .startsWith("HTTP/1.1 4");
        assertThat(done).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/things/a/", "/things/", "/things//", "//things/a", "/things/.", "/health/live/", "/things/.."})
    void knowsOneWayToWriteAPath(String path) throws IOException {
        assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 404");
        assertThat(raw("DELETE " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 404");
        assertThat(done).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({
        "Content-Encoding: gzip, 415, gzip",
        "'Transfer-Encoding: gzip, chunked', 501, gzip",
        "'Content-Length: 0\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b', 400, one Authorization header"
    })
    void takesNothingThatItDoesNotUnderstand(String header, int status, String detail) throws IOException {
        String length = header.startsWith("Content-Encoding") ? "\r\nContent-Length: 0" : "";
        assertThat(raw("POST /things/a HTTP/1.1\r\nHost: localhost\r\n" + header.replace("\\r\\n", "\r\n") + length
                        + "\r\nConnection: close\r\n\r\n0\r\n\r\n"))
                .startsWith("HTTP/1.1 " + status)
                .contains(detail);
        assertThat(done).hasValue(0);
    }

    @Test
    void saysWhatIsWrongWithAChunkAndThatItCloses() throws IOException {
        assertThat(raw("POST /things/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("expected a body as HTTP frames it", "Connection: close");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%zz", "/%00", "/a b", "/things/%ff"})
    void announcesThatItClosesAfterAMalformedRequest(String path) throws IOException {
        String answer = raw(
                "GET " + path
                        + " HTTP/1.1\r\nHost: localhost\r\n\r\nGET /things/a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 400").contains("application/problem+json");
        // Either the next request is answered as well, or the answer has said that it will not be.
        assertThat(answer.endsWith("read a {}") || answer.contains("Connection: close"))
                .as(answer)
                .isTrue();
        assertThat(answer).doesNotContain("\"detail\":\"Bad Request\"");
    }

    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    private HttpServer started() {
        try {
            return HttpServer.start(
                    new HttpSettings(
                            "127.0.0.1", 0, 8, Duration.ofSeconds(1), HttpLimits.USUAL, Set.of("proxy.example")),
                    Security.none(),
                    MemoryBudget.unlimited(),
                    List::of,
                    () -> "",
                    "/dev/tidemark/http/openapi-of-test.yaml",
                    this::routes);
        } catch (PortInUseException e) {
            throw new AssertionError(e);
        }
    }

    private List<Route> routes() {
        CallHandler change = call -> call.result("done " + done.incrementAndGet());
        return List.of(
                Route.get(
                        "/things/{name}",
                        Permission.NOTHING,
                        call -> call.result("read " + call.pathParam("name") + " " + call.queryParamMap())),
                Route.post("/things/{name}", Permission.NOTHING, change),
                Route.delete("/things/{name}", Permission.NOTHING, change));
    }
}
