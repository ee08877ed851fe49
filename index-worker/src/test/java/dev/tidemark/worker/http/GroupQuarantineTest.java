package dev.tidemark.worker.http;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.tidemark.http.SecuritySettings;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowJson;
import dev.tidemark.testkit.SecretFiles;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

/** Two workers with quarantined records: the first has films and partition 1 of people, the other one has the rest. */
@Timeout(60)
@Tag("slow")
class GroupQuarantineTest {
    private static final URI NOWHERE = URI.create("http://127.0.0.1:1");
    private static final int LARGE = 400_000;
    private static final String TOKENS = "{'tokens':["
            + "{'name':'admin','token':'admin-0123456789-0123','scopes':['admin']},"
            + "{'name':'keeper','token':'keeper-0123456789-0123','scopes':['admin','facts:people']}]}";

    @TempDir
    private Path directory = Path.of("");

    /** The last partition of the other worker, into which a test may put more. */
    private ChangeLog last = new ChangeLog(Tables.people());

    private Consumer<ChangeLog> growing = none -> {};
    private Optional<WorkerServer> asked = Optional.empty();
    private Optional<WorkerServer> beside = Optional.empty();

    @BeforeEach
    void start() throws Exception {
        begin(SecuritySettings.OPEN);
    }

    private void begin(SecuritySettings ofFirst) throws Exception {
        WorkerServer first = new WorkerServer(NOWHERE, ofFirst);
        asked = Optional.of(first);
        WorkerServer other = new WorkerServer(NOWHERE);
        beside = Optional.of(other);
        first.films.garbage("\"film\"").heartbeat(99);
        first.deliver();
        last = new ChangeLog(Tables.people());
        put(first, 1, new ChangeLog(Tables.people()).garbage("\"one\""));
        put(other, 0, new ChangeLog(Tables.people()).garbage("\"zero-a\"").garbage("\"zero-b\""));
        put(other, 2, new ChangeLog(Tables.people()).garbage("\"two\""));
        growing = put(other, 3, last);
        first.others(other.at(""), new ShardId("people", 0), new ShardId("people", 2), new ShardId("people", 3));
    }

    @AfterEach
    void stop() {
        asked.ifPresent(WorkerServer::close);
        beside.ifPresent(WorkerServer::close);
    }

    @Test
    void listsTheRecordsOfAllWorkersByTableAndPartition() throws Exception {
        JsonNode list = whole("");

        assertThat(places(list)).containsExactly("films-0", "people-0", "people-0", "people-1", "people-2");
        assertThat(list.path("count").asInt()).isEqualTo(5);
        assertThat(list.has("next")).isFalse();
        assertThat(list.at("/records/1"))
                .isEqualTo(ofOther("/v1/peer/quarantine/records?shard=people-0").at("/records/0"));
    }

    @ParameterizedTest
    @CsvSource({"1, 5", "2, 3", "3, 2", "4, 2", "5, 1"})
    void aPageGoesOnWhereTheOneBeforeEndedWhicheverWorkerHasTheRecords(int limit, int pages) throws Exception {
        JsonNode all = whole("").path("records");
        List<JsonNode> records = new ArrayList<>();
        int read = 0;
        for (Optional<String> cursor = Optional.of(""); cursor.isPresent() && read <= pages; read++) {
            JsonNode page = whole("?limit=" + limit + cursor.get());
            assertThat(page.path("count").asInt()).isEqualTo(5);
            assertThat(page.path("records")).hasSizeLessThanOrEqualTo(limit);
            page.path("records").forEach(records::add);
            cursor = Optional.ofNullable(page.path("next").textValue()).map(next -> "&cursor=" + next);
        }

        assertThat(records).containsExactlyElementsOf(all);
        assertThat(read).isEqualTo(pages);
    }

    @Test
    void aShardThatTwoWorkersHaveIsListedOnce() throws Exception {
        put(other(), 1, new ChangeLog(Tables.people()).garbage("\"one\"").garbage("\"one more\""));

        JsonNode list = whole("");

        assertThat(list.path("count").asInt()).isEqualTo(5);
        assertThat(places(list)).containsOnlyOnce("people-1");
    }

    @Test
    void namesThePartitionsOfAWorkerThatIsGone() throws Exception {
        other().close();

        JsonNode list = first().json("/v1/quarantine");

        assertThat(places(list)).containsExactly("films-0", "people-1");
        assertThat(list.path("count").asInt()).isEqualTo(2);
        assertThat(list.path("missingPartitions").toString())
                .isEqualTo("[{\"table\":\"people\",\"partition\":0},{\"table\":\"people\",\"partition\":2},"
                        + "{\"table\":\"people\",\"partition\":3}]");
    }

    @Test
    void aWorkerRefusesToListAShardThatItDoesNotHave() throws Exception {
        assertThat(raw(other(), "/v1/peer/quarantine/records?shard=people-1").statusCode())
                .isEqualTo(421);
        assertThat(raw(other(), "/v1/peer/quarantine/records?shard=people").statusCode())
                .isEqualTo(400);
    }

    @Test
    void aWorkerSaysHowManyRecordsItsShardsHave() throws Exception {
        assertThat(ofOther("/v1/peer/quarantine").path("shards").toString())
                .contains("{\"table\":\"people\",\"partition\":0,\"count\":2}")
                .contains("{\"table\":\"people\",\"partition\":3,\"count\":0}");
    }

    @ParameterizedTest
    @CsvSource({"admin,false", "keeper,true"})
    void recordsOfAnotherWorkerAreShownToThoseWhoMayReadRows(String token, boolean shown) throws Exception {
        stop();
        Path tokens = SecretFiles.write(directory.resolve("tokens"), TOKENS.replace('\'', '"'));
        SecuritySettings open = SecuritySettings.OPEN;
        begin(new SecuritySettings(
                false, Optional.of(tokens), open.server(), open.client(), Optional.empty(), Optional.empty()));
        JsonNode list = list(token);
        for (int tries = 0; tries < 20 && !list.path("missingPartitions").isEmpty(); tries++) {
            list = list(token);
        }

        assertThat(list.path("count").asInt()).isEqualTo(5);
        assertThat(places(list)).contains("people-0", "people-2");
        for (JsonNode record : list.path("records")) {
            boolean mayRead = shown && record.path("table").asText().equals("people");
            assertThat(record.path("hidden").asBoolean()).isEqualTo(!mayRead);
            assertThat(record.path("key").isNull()).isEqualTo(!mayRead);
            assertThat(record.path("value").isNull()).isEqualTo(!mayRead);
        }
    }

    @Test
    void aPageOfRecordsOfAnotherWorkerEndsBeforeItIsTooLarge() throws Exception {
        putLargeRecords();
        List<Integer> sizes = new ArrayList<>();
        for (Optional<String> cursor = Optional.of("?cursor=people-2-0"); cursor.isPresent() && sizes.size() < 5; ) {
            JsonNode page = whole(cursor.get());
            assertThat(page.path("count").intValue()).isEqualTo(8);
            sizes.add(page.path("records").size());
            cursor = Optional.ofNullable(page.path("next").textValue()).map(next -> "?cursor=" + next);
        }

        assertThat(sizes).containsExactly(2, 1);
        assertThat(first().pages.reserved()).isZero();
        assertThat(other().pages.reserved()).isZero();
    }

    @Test
    void aPageEndsEarlyWhereThereIsNoMemoryForWhatAnotherWorkerSends() throws Exception {
        putLargeRecords();
        long roomForOneOnThePageAlone = (4L << 20) + 11L * LARGE;
        leave(roomForOneOnThePageAlone);

        JsonNode page = whole("");

        assertThat(places(page)).containsExactly("films-0", "people-0", "people-0", "people-1", "people-2");
        assertThat(page.path("next").isTextual()).isTrue();
        HttpResponse<byte[]> next =
                first().get("/v1/quarantine?cursor=" + page.path("next").asText());
        assertThat(next.statusCode()).isEqualTo(503);
        assertThat(RowJson.parse(next.body()).path("type").textValue()).isEqualTo("tidemark:no-memory");
    }

    /** Three records of another worker that take more than a page. */
    private void putLargeRecords() {
        for (int key = 1; key <= 3; key++) {
            last.garbage("\"large-" + key + "\"", LARGE);
        }
        growing.accept(last.heartbeat(91));
    }

    /** Leaves so many bytes of the first worker's memory to answers. */
    private void leave(long bytes) {
        MemoryBudget memory = first().memory;
        assertThat(memory.part("others", 1).tryReserve(memory.bytes() - bytes)).isPresent();
    }

    /** Opens a shard that applies a log, and returns how it applies what comes later. */
    private static Consumer<ChangeLog> put(WorkerServer worker, int partition, ChangeLog changes) {
        OpenShard shard = worker.bench.open(new ShardId("people", partition));
        long reading = Objects.requireNonNull(shard.takeStart()).reading();
        Consumer<ChangeLog> applying = log -> worker.bench.deliver(shard, reading, log.take());
        applying.accept(changes.heartbeat(90));
        return applying;
    }

    private static List<String> places(JsonNode list) {
        List<String> places = new ArrayList<>();
        list.path("records")
                .forEach(record -> places.add(record.path("table").asText() + "-"
                        + record.path("partition").asText()));
        return places;
    }

    /** An answer for which the other worker was soon enough, which it may not be on a busy machine. */
    private JsonNode whole(String query) throws Exception {
        JsonNode list = first().json("/v1/quarantine" + query);
        for (int tries = 0; tries < 20 && !list.path("missingPartitions").isEmpty(); tries++) {
            list = first().json("/v1/quarantine" + query);
        }
        assertThat(list.path("missingPartitions")).isEmpty();
        return list;
    }

    private JsonNode list(String token) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(first().at("/v1/quarantine"))
                .header("Authorization", "Bearer " + token + "-0123456789-0123")
                .build();
        HttpResponse<byte[]> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
        return RowJson.parse(WorkerServer.PUBLISHED.check(answer).body());
    }

    private JsonNode ofOther(String path) throws Exception {
        return RowJson.parse(raw(other(), path).body().getBytes(StandardCharsets.UTF_8));
    }

    private static HttpResponse<String> raw(WorkerServer worker, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(worker.at(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private WorkerServer first() {
        return asked.orElseThrow();
    }

    private WorkerServer other() {
        return beside.orElseThrow();
    }
}
