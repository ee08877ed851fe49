package dev.tidemark.worker.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.http.SecuritySettings;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.worker.copy.ByteRate;
import dev.tidemark.worker.copy.CopiedFile;
import dev.tidemark.worker.copy.CopyHead;
import dev.tidemark.worker.copy.CopyList;
import dev.tidemark.worker.copy.CopyMeter;
import dev.tidemark.worker.copy.CopyRefusedException;
import dev.tidemark.worker.copy.HeldCopies;
import dev.tidemark.worker.copy.ShardTaker;
import dev.tidemark.worker.copy.WrittenShard;
import dev.tidemark.worker.rocks.RocksShardStores;
import dev.tidemark.worker.shard.PartitionInfoSource.PartitionInfo;
import dev.tidemark.worker.shard.RebuildPolicy;
import dev.tidemark.worker.shard.ShardSupply;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.testkit.SettableClock;

import static dev.tidemark.worker.copy.WrittenShard.ID;
import static dev.tidemark.worker.copy.WrittenShard.ORIGIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A copy of a shard over HTTP. */
@Timeout(60)
@Tag("slow")
class CopyRoutesTest {
    private static final URI NOWHERE = URI.create("http://127.0.0.1:1");
    private static final long RECORDS = 5_000;
    private static final long BYTES_PER_SECOND = 4 << 20;
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration SILENCE = Duration.ofSeconds(1);

    /** A holder on a busy machine may take seconds until its copy is on disk. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final SteadyClock clock = new SteadyClock();
    private final SettableClock rateClock = new SettableClock(WrittenShard.NOON);
    private final ServiceConnection connection = new ServiceConnection(ServiceClient.plain(NOWHERE));
    private final CopyClient client = new CopyClient(connection, PATIENCE, clock);

    @TempDir
    private Path directory = Path.of("");

    private ShardStore store;
    private WorkerServer worker;

    @BeforeEach
    void start() throws Exception {
        RocksShardStores stores = new RocksShardStores(directory.resolve("shards"), WorkerServer.RESOURCES, 0, 0);
        store = stores.open(ID, ORIGIN);
        WrittenShard.write(store, 0, RECORDS);
        HeldCopies copies = new HeldCopies(
                directory.resolve("copies"), stores, new ByteRate(BYTES_PER_SECOND, rateClock), rateClock);
        worker = new WorkerServer(NOWHERE, SecuritySettings.OPEN, copies);
    }

    @AfterEach
    void stop() {
        connection.close();
        worker.close();
        store.close();
    }

    private URI url() {
        return URI.create(worker.at("").toString());
    }

    @Test
    void anotherWorkerTakesTheShard() throws Exception {
        long before = worker.ofCalls.reserved();
        RocksShardStores taker = new RocksShardStores(directory.resolve("taker"), WorkerServer.RESOURCES, 0, 0);
        new ShardTaker(
                        taker,
                        client,
                        shard -> List.of(url()),
                        new RebuildPolicy(Duration.ofDays(36_500)),
                        1_000,
                        clock,
                        time -> rateClock.advance(time),
                        new CopyMeter())
                .fetch(
                        new ShardSupply.Need(
                                ID,
                                ORIGIN,
                                new PartitionInfo("topic-1", 0, RECORDS, Optional.empty(), Optional.empty()),
                                0),
                        () -> true);
        try (ShardStore copy = taker.open(ID, ORIGIN)) {
            assertThat(WrittenShard.requireWhole(copy, RECORDS)).isEqualTo(RECORDS);
        }
        assertThat(BoundedWait.until(
                        () -> worker.ofCalls.reserved() == before, Duration.ofSeconds(10), Duration.ofMillis(5)))
                .as("no memory is held any more")
                .isTrue();
    }

    @Test
    void theListSaysWhatTheCopyIs() throws Exception {
        HttpResponse<String> answer = ask("POST", "/v1/peer/copies?shard=" + ID, "");
        assertThat(answer.statusCode()).isEqualTo(200);
        List<String> lines = answer.body().lines().toList();
        JsonNode head = RowJson.parse(lines.get(0).getBytes(StandardCharsets.UTF_8));
        assertThat(head.path("format").asInt()).isEqualTo(3);
        assertThat(head.path("topicId").asText()).isEqualTo("topic-1");
        assertThat(head.path("nextOffset").asLong()).isEqualTo(RECORDS);
        assertThat(head.path("files").asInt()).isEqualTo(lines.size() - 1);
        assertThat(lines.get(1)).contains("\"name\":", "\"bytes\":", "\"sha256\":");
    }

    @Test
    void rangesAreServedOfListedFilesOnly() throws Exception {
        CopyList copy = client.list(url(), ID, () -> true);
        String path = "/v1/peer/copies/" + copy.head().copy();
        HttpResponse<String> part = ask("GET", path + "/CURRENT", "bytes=1-3");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo("ANI");
        assertThat(part.headers().firstValue("Content-Range")).contains("bytes 1-3/16");
        assertThat(ask("GET", path + "/CURRENT", "").statusCode()).isEqualTo(400);
        assertThat(ask("GET", path + "/CURRENT", "bytes=0-").statusCode()).isEqualTo(400);
        assertThat(ask("GET", path + "/CURRENT", "bytes=99-100").statusCode()).isEqualTo(404);
        assertThat(ask("GET", path + "/LOCK", "bytes=0-1").statusCode()).isEqualTo(404);
        assertThat(ask("DELETE", path, "").statusCode()).isEqualTo(204);
        assertThat(ask("GET", path + "/CURRENT", "bytes=1-3").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"..%2f..%2fsecret", "../../secret", "..", "%2e%2e%2f%2e%2e%2fsecret", "%2fetc%2fpasswd"})
    void noNameLeadsOutOfACopy(String name) throws Exception {
        Files.writeString(directory.resolve("secret"), "secret");
        CopyList copy = client.list(url(), ID, () -> true);
        HttpResponse<String> answer =
                ask("GET", "/v1/peer/copies/" + copy.head().copy() + "/" + name, "bytes=0-5");
        assertThat(answer.statusCode()).isBetween(400, 499);
        assertThat(answer.body()).doesNotContain("secret\n").isNotEqualTo("secret");
    }

    @Test
    void refusalsSayWhetherToAskAgain() throws Exception {
        assertThatThrownBy(() -> client.list(url(), new ShardId("films", 0), () -> true))
                .isInstanceOfSatisfying(
                        CopyRefusedException.class,
                        refused -> assertThat(refused.retryAfter()).isEmpty())
                .hasMessageContaining("nothing of shard films-0");
        assertThat(ask("POST", "/v1/peer/copies?shard=../x", "").statusCode()).isEqualTo(400);
        for (int copies = 0; copies < 4; copies++) {
            client.list(url(), ID, () -> true);
        }
        assertThatThrownBy(() -> client.list(url(), ID, () -> true))
                .isInstanceOfSatisfying(
                        CopyRefusedException.class,
                        refused -> assertThat(refused.retryAfter()).contains(Duration.ofSeconds(5)));
    }

    @Test
    void beyondTheRateThereIsNothingForASecond() throws Exception {
        CopyList copy = client.list(url(), ID, () -> true);
        CopiedFile table = copy.files().stream()
                .filter(file -> file.bytes() > HeldCopies.MOST_BYTES / 2)
                .findFirst()
                .orElseThrow();
        assertThatThrownBy(() -> {
                    for (int reads = 0; reads < 20; reads++) {
                        client.read(url(), copy.head(), table, 0, () -> true);
                    }
                })
                .isInstanceOfSatisfying(
                        CopyRefusedException.class,
                        refused -> assertThat(refused.retryAfter()).contains(Duration.ofSeconds(1)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAnswerThatStopsInTheMiddleIsGivenUp(boolean staysOpen) throws Exception {
        CopiedFile file = new CopiedFile("CURRENT", 100, "0123456789abcdef".repeat(4));
        CopyHead head = new CopyHead("copy", 3, ORIGIN, 1, WrittenShard.NOON);
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Socket> accepted = CompletableFuture.supplyAsync(() -> half(listener, staysOpen));
            URI silent = URI.create("http://127.0.0.1:" + listener.getLocalPort());
            assertThatThrownBy(() -> new CopyClient(connection, SILENCE, clock).read(silent, head, file, 0, () -> true))
                    .isInstanceOf(IOException.class);
            accepted.join().close();
        }
    }

    private static Socket half(ServerSocket listener, boolean staysOpen) {
        try {
            Socket connection = listener.accept();
            connection
                    .getOutputStream()
                    .write("HTTP/1.1 206 Part\r\nContent-Range: bytes 0-99/100\r\nContent-Length: 100\r\n\r\nhalf"
                            .getBytes(StandardCharsets.US_ASCII));
            connection.getOutputStream().flush();
            if (!staysOpen) {
                connection.close();
            }
            return connection;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aQuestionThatIsNotWantedAnyMoreEndsAtOnce() throws Exception {
        CopiedFile file = new CopiedFile("CURRENT", 100, "0123456789abcdef".repeat(4));
        CopyHead head = new CopyHead("copy", 3, ORIGIN, 1, WrittenShard.NOON);
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI silent = URI.create("http://127.0.0.1:" + listener.getLocalPort());
            assertThatThrownBy(() -> client.read(silent, head, file, 0, () -> false))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aListThatLacksALineOrNamesAPathIsNone() {
        String head = "{\"copy\":\"c\",\"format\":3,\"topicId\":\"t\",\"table\":\"x\",\"nextOffset\":1,"
                + "\"lastCaughtUp\":\"2026-01-01T12:00:00Z\",\"files\":1}\n";
        assertThatThrownBy(() -> CopyCodec.list(bytes(head))).isInstanceOf(IOException.class);
        String file = "{\"name\":\"../x\",\"bytes\":1,\"sha256\":\"" + "0123456789abcdef".repeat(4) + "\"}\n";
        assertThatThrownBy(() -> CopyCodec.list(bytes(head + file))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CopyCodec.list(bytes(head + file.substring(0, 20))))
                .isInstanceOf(IOException.class);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private HttpResponse<String> ask(String method, String path, String range) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(worker.at(path)).method(method, HttpRequest.BodyPublishers.noBody());
        if (!range.isEmpty()) {
            request.header("Range", range);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
