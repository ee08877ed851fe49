package dev.tidemark.worker.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.http.HttpServer;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Route;
import dev.tidemark.http.Security;
import dev.tidemark.http.SecuritySettings;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.testkit.SecretFiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Over real sockets, because what matters is how a client that does not read is borne. */
@Timeout(60)
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class EventStreamsTest {
    /** More than the sockets between take, so that a client that does not read is noticed at once. */
    private static final String LARGE = "\"" + "x".repeat(4 << 20) + "\"";

    private static final String TOKENS = "{'tokens':[{'name':'one','token':'one-0123456789-012345','scopes':['admin']},"
            + "{'name':'two','token':'two-0123456789-012345','scopes':['admin']}]}";

    private static final int MOST = 3;
    private static final Duration DRAIN = Duration.ofSeconds(2);

    @TempDir
    private Path directory = Path.of("");

    private final List<Socket> sockets = new ArrayList<>();
    private volatile String state = "{\"n\":1}";
    private final SteadyClock clock = new SteadyClock();
    private volatile boolean broken;
    private final EventStreams streams = new EventStreams(this::state, clock, MOST);
    private HttpServer server = serve();
    private final AgentRunner thread = AgentRunner.start(streams, Duration.ofMillis(10));

    private byte[] state() {
        if (broken) {
            broken = false;
            throw new IllegalStateException("Expected this once");
        }
        return state.getBytes(StandardCharsets.UTF_8);
    }

    @BeforeEach
    void isAlone() {
        assertThat(streams.size()).isZero();
    }

    @AfterEach
    void stop() throws IOException {
        streams.close();
        server.close();
        thread.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        assertThat(thread.failure()).isEmpty();
    }

    @Test
    void sendsTheStateAgainAndAgain() throws IOException {
        BufferedReader client = follow("?interval=200ms");
        assertThat(linesUntilBlank(client))
                .startsWith("HTTP/1.1 200 OK")
                .contains("Content-Type: text/event-stream;charset=utf-8", "Cache-Control: no-cache");
        assertThat(event(client))
                .contains("event: lag", "data: {\"n\":1}")
                .anyMatch(line -> line.matches("id: \\d{13}"));
        state = "{\"n\":2}";
        await().until(() -> event(client).contains("data: {\"n\":2}"));
    }

    @Test
    void theNextMessageComesWhereOneCouldNotBeMade() throws IOException {
        broken = true;
        BufferedReader client = follow("?interval=200ms");
        sockets.get(0).setSoTimeout(20_000);
        linesUntilBlank(client);
        assertThat(event(client)).contains("data: {\"n\":1}");
        assertThat(broken).isFalse();
    }

    @Test
    void aClientThatDoesNotReadHoldsUpNobody() throws IOException {
        state = LARGE;
        follow("?interval=200ms");
        await().until(() -> streams.size() == 1);
        state = "{\"n\":3}";
        BufferedReader other = follow("?interval=200ms");
        linesUntilBlank(other);
        for (int i = 0; i < 10; i++) {
            assertThat(event(other)).contains("data: {\"n\":3}");
        }
        long before = clock.millis();
        streams.close();
        server.close();
        assertThat(clock.millis() - before).isLessThan(DRAIN.multipliedBy(2).toMillis());
    }

    @Test
    void forgetsAClientThatIsGone() throws IOException {
        linesUntilBlank(follow("?interval=200ms"));
        await().until(() -> streams.size() == 1);
        sockets.get(0).close();
        await().until(() -> streams.size() == 0);
    }

    @Test
    void refusesMoreClientsThanItBears() throws IOException {
        for (int i = 0; i < MOST; i++) {
            linesUntilBlank(follow(""));
        }
        BufferedReader refused = follow("");
        assertThat(linesUntilBlank(refused))
                .startsWith("HTTP/1.1 429 Too Many Requests")
                .contains("Content-Type: application/problem+json", "Retry-After: 5");
        sockets.get(0).close();
        await().until(() -> streams.size() == MOST - 1);
        assertThat(linesUntilBlank(follow(""))).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void endsEveryStreamWhenItCloses() throws IOException {
        BufferedReader client = follow("?interval=60s");
        linesUntilBlank(client);
        event(client);
        streams.close();
        await().until(() -> client.readLine() == null);
        assertThat(linesUntilBlank(follow(""))).startsWith("HTTP/1.1 503 Service Unavailable");
    }

    @Test
    void refusesAnIntervalOutOfBounds() throws IOException {
        for (String wrong : List.of("199ms", "61s", "soon", "")) {
            assertThat(linesUntilBlank(follow("?interval=" + wrong))).startsWith("HTTP/1.1 400 Bad Request");
        }
    }

    @Test
    void oneTokenDoesNotTakeAllPlacesAndARevokedOneShowsNothingMore() throws Exception {
        Path tokens = SecretFiles.write(directory.resolve("tokens"), TOKENS);
        SecuritySettings open = SecuritySettings.OPEN;
        SecuritySettings settings = new SecuritySettings(
                false, Optional.of(tokens), open.server(), open.client(), Optional.empty(), Optional.empty());
        try (HttpServer secured = HttpServer.start(
                new HttpSettings("127.0.0.1", 0, 8, DRAIN),
                Security.open("127.0.0.1", settings, List::of, clock),
                MemoryBudget.unlimited(),
                () -> List.of(
                        Route.get("/v1/events", Permission.TOKEN, streams::open).reading("interval")))) {
            BufferedReader first = follow(secured, "one");
            linesUntilBlank(first);
            event(first);
            assertThat(linesUntilBlank(follow(secured, "one"))).startsWith("HTTP/1.1 429 Too Many Requests");
            assertThat(linesUntilBlank(follow(secured, "two"))).startsWith("HTTP/1.1 200 OK");

            SecretFiles.write(tokens, "{'tokens':[{'name':'two','token':'two-0123456789-012345','scopes':['admin']}]}");
            secured.guard(List.of(), clock).doWork();

            await().until(() -> first.readLine() == null);
            await().until(() -> streams.size() == 1);
        }
    }

    private BufferedReader follow(HttpServer secured, String name) throws IOException {
        return follow(secured, "", "Authorization: Bearer " + name + "-0123456789-012345\r\n");
    }

    private BufferedReader follow(String query) throws IOException {
        return follow(server, query, "");
    }

    private BufferedReader follow(HttpServer at, String query, String header) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), at.port());
        sockets.add(socket);
        socket.getOutputStream()
                .write(("GET /v1/events" + query + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** The next event, its lines; what the transfer encoding puts between is left out. */
    private static List<String> event(BufferedReader client) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = client.readLine(); line != null; line = client.readLine()) {
            if (line.isEmpty() && lines.stream().anyMatch(one -> one.startsWith("data:"))) {
                return lines;
            }
            lines.add(line);
        }
        return lines;
    }

    private static List<String> linesUntilBlank(BufferedReader client) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = client.readLine(); line != null && !line.isEmpty(); line = client.readLine()) {
            lines.add(line);
        }
        return lines;
    }

    private HttpServer serve() {
        try {
            return HttpServer.start(
                    new HttpSettings("127.0.0.1", 0, 8, DRAIN),
                    List::of,
                    () -> "",
                    WorkerRoutes.OPEN_API,
                    List.of(Route.get("/v1/events", Permission.NOTHING, streams::open)
                            .reading("interval")));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
