package dev.tidemark.worker.http;

import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.catalog.DefinitionJson;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.progress.OffsetNote;
import dev.tidemark.progress.Progress;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.clocks.ClockReading;
import dev.tidemark.worker.clocks.CommitBound;
import dev.tidemark.worker.clocks.WriterClockEstimator;
import dev.tidemark.worker.group.Owner;
import dev.tidemark.worker.lag.EndOffsets;
import dev.tidemark.worker.lag.LagSampler;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.OwnThread;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.verify.ListedFacts;
import dev.tidemark.worker.verify.VerifyAgent;
import dev.tidemark.worker.verify.VerifyTotals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Two workers: the first has films, and the other one has people as well. */
@Execution(ExecutionMode.CONCURRENT)
class GroupCallsTest {
    private static final URI NOWHERE = URI.create("http://127.0.0.1:1");

    private final Instant now = ChangeLog.at(100);
    private final WriterClockEstimator writerTime = new WriterClockEstimator(now);
    private WorkerServer first;
    private WorkerServer other;
    private final ListedFacts facts = new ListedFacts();
    private ChangeLog log;
    private int partition;
    private long otherReading;

    @BeforeEach
    void start() throws Exception {
        clockIs(Duration.ZERO, 1);
        first = new WorkerServer(NOWHERE, writerTime);
        other = new WorkerServer(NOWHERE, writerTime);
        log = new ChangeLog(Tables.people());
        partition = Tables.people().partitionOf(log.key("7"));
        for (int each = 0; each < 4; each++) {
            OpenShard shard = other.bench.open(new ShardId("people", each));
            long reading = Objects.requireNonNull(shard.takeStart()).reading();
            ChangeLog changes = each == partition ? log : new ChangeLog(Tables.people());
            if (each == partition) {
                otherReading = reading;
                changes.put(7, "{\"id\":7,\"town\":\"Oslo\",\"name\":\"Ada\"}");
            }
            changes.heartbeat(90 + each);
            other.bench.deliver(shard, reading, changes.take());
        }
        facts.put(7, log.key("7"), "{\"id\":7,\"town\":\"Oslo\",\"name\":\"Ada\"}");
        List.of(first, other).forEach(worker -> {
            worker.films.heartbeat(99);
            worker.deliver();
        });
        URI url = URI.create(other.at("").toString());
        first.others(
                url,
                new ShardId("people", 0),
                new ShardId("people", 1),
                new ShardId("people", 2),
                new ShardId("people", 3));
    }

    @AfterEach
    void stop() {
        first.close();
        other.close();
    }

    @Test
    void explainsARowThatAnotherWorkerHas() throws Exception {
        JsonNode here = json(first, "/v1/indexes/by_town/explain?key=7");
        assertThat(here.path("outcome").asText()).isEqualTo("in_index");
        assertThat(here).isEqualTo(json(other, "/v1/indexes/by_town/explain?key=7"));
        assertThat(json(first, "/v1/indexes/by_town/explain?key=8")
                        .path("outcome")
                        .asText())
                .isNotEqualTo("in_index");
    }

    @Test
    void explainsARowThatAnotherWorkerHasToAClientThatEncodesNothing() throws Exception {
        String target = "/v1/indexes/by_town/explain?key=\"a|b{c}<d>^e`\\\\\"";

        JsonNode here = raw(first, target);

        assertThat(here.path("primaryKey").toString()).contains("a|b{c}<d>^e`\\\\");
        assertThat(here).isEqualTo(raw(other, target));
    }

    @Test
    void passesACallOnBelowThePathOfTheUrlOfAnotherWorker() throws Exception {
        HttpServer peer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try {
            peer.createContext("/", exchange -> {
                byte[] asked = RowJson.write(RowJson.mapper()
                        .createObjectNode()
                        .put("asked", exchange.getRequestURI().toString()));
                exchange.sendResponseHeaders(200, asked.length);
                exchange.getResponseBody().write(asked);
                exchange.close();
            });
            peer.start();
            first.owners.clear();
            first.others(
                    URI.create("http://127.0.0.1:" + peer.getAddress().getPort() + "/workers/2"),
                    new ShardId("people", partition));

            assertThat(raw(first, "/v1/indexes/by_town/explain?key=7")
                            .path("asked")
                            .asText())
                    .isEqualTo("/workers/2/v1/indexes/by_town/explain?key=7");
        } finally {
            peer.stop(0);
        }
    }

    /** The answer to a request target as it is, which the client of Java would not send. */
    private static JsonNode raw(WorkerServer worker, String target) throws Exception {
        URI at = worker.at("");
        try (Socket socket = new Socket(at.getHost(), at.getPort())) {
            socket.setSoTimeout(20_000);
            String request =
                    "GET " + target + " HTTP/1.1\r\nHost: " + at.getAuthority() + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 200 ");
            return RowJson.parse(
                    answer.substring(answer.indexOf("\r\n\r\n") + 4).getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void givesTheReceiptOfARowThatAnotherWorkerHas() throws Exception {
        String token =
                SessionToken.of("people", partition, ChangeLog.version(7)).encode();
        JsonNode here = json(first, "/v1/receipts/" + token);
        assertThat(here.path("decided").asBoolean()).isTrue();
        assertThat(here).isEqualTo(json(other, "/v1/receipts/" + token));
    }

    @Test
    void givesTheReceiptOfManyRowsByPartitionWhereverTheyAre() throws Exception {
        Map<Integer, RowVersion> versions = new TreeMap<>();
        for (int each = 0; each < 3; each++) {
            versions.put((partition + each) % 4, ChangeLog.version(each == 0 ? 7 : 80));
        }
        String token = new SessionToken("people", versions).encode();
        JsonNode here = json(first, "/v1/receipts/" + token);
        assertThat(here.path("decided").asBoolean()).isTrue();
        assertThat(here).isEqualTo(json(other, "/v1/receipts/" + token));

        other.close();
        JsonNode gone = json(first, "/v1/receipts/" + token);
        assertThat(gone.path("decided").asBoolean()).isFalse();
        assertThat(gone.at("/partitions/0/status").asText()).isEqualTo("unknown");
        assertThat(gone.at("/partitions/0/reason").asText()).isEqualTo("no worker answers for it");
    }

    @Test
    void aTokenOfManyRowsIsGoneWhereAnotherWorkerFindsThatItsEpochIsOver() throws Exception {
        log.add(new Heartbeat(ChangeLog.at(95), new RowVersion(2, 1)));
        other.bench.deliver(
                other.bench.shards().find(new ShardId("people", partition)).orElseThrow(), otherReading, log.take());
        Map<Integer, RowVersion> versions = new TreeMap<>();
        for (int each = 0; each < 3; each++) {
            versions.put((partition + each) % 4, ChangeLog.version(7));
        }
        HttpResponse<byte[]> answer = first.get("/v1/receipts/" + new SessionToken("people", versions).encode());
        assertThat(answer.statusCode()).isEqualTo(410);
        assertThat(RowJson.parse(answer.body()).path("detail").asText())
                .startsWith("the token is of epoch 1, and the fact table is in epoch 2 now");
    }

    @Test
    void aCallThatWasPassedOnIsNotPassedOnAgain() throws Exception {
        first.others(NOWHERE, new ShardId("people", partition));
        assertThat(json(first, "/v1/indexes/by_town/explain?key=7")
                        .path("outcome")
                        .asText())
                .isEqualTo("in_index");
        first.owners.clear();
        first.others(URI.create(first.at("").toString()), new ShardId("people", partition));
        assertThat(json(first, "/v1/indexes/by_town/explain?key=7")
                        .path("outcome")
                        .asText())
                .isNotEqualTo("in_index");
    }

    @Test
    void callsAboutARowGoToAnotherWorkerWhileThisOneMustNotAnswerForItsShards() throws Exception {
        OpenShard here = first.bench.open(new ShardId("people", partition));
        ChangeLog changes = new ChangeLog(Tables.people()).heartbeat(85);
        first.bench.deliver(here, Objects.requireNonNull(here.takeStart()).reading(), changes.take());
        RowVersion version = ChangeLog.version(7);
        String row = "/v1/indexes/by_town/explain?key=7";
        String receipt =
                "/v1/receipts/" + SessionToken.of("people", partition, version).encode();
        String ofMany = "/v1/receipts/"
                + new SessionToken("people", Map.of(partition, version, (partition + 1) % 4, version)).encode();

        first.refusal = Optional.of("paused for too long");
        for (String path : List.of(row, receipt, ofMany)) {
            assertThat(json(first, path)).isEqualTo(json(other, path));
        }
        for (String path : List.of(row, receipt)) {
            assertThat(statusOfHop(first, path))
                    .as("as for a shard that is not here")
                    .isEqualTo(421);
        }

        other.refusal = Optional.of("paused for too long");
        assertThat(json(first, row).path("outcome").asText()).isEqualTo("not_held");
        HttpResponse<byte[]> refused = first.get(receipt);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(RowJson.parse(refused.body()).path("detail").asText()).isEqualTo("paused for too long");
    }

    /** The status of the answer to a call that another worker has passed on. */
    private static int statusOfHop(WorkerServer worker, String path) throws Exception {
        HttpURLConnection call = (HttpURLConnection) worker.at(path).toURL().openConnection();
        call.setRequestProperty(OwnerCalls.HOP, "1");
        return call.getResponseCode();
    }

    @Tag("slow")
    @Test
    void aWorkerThatHangsDoesNotTakeEveryThread() throws Exception {
        try (SilentWriter hung = hung()) {
            List<CompletableFuture<Integer>> asked = new ArrayList<>();
            for (int call = 0; call < WorkerServer.THREADS; call++) {
                asked.add(OwnThread.supply(() -> status("/v1/indexes/by_town/explain?key=7")));
            }
            hung.asked.await();
            Instant before = Instant.now();
            assertThat(json(first, "/v1/lag").path("indexes")).isNotEmpty();
            assertThat(Duration.between(before, Instant.now())).isLessThan(Duration.ofSeconds(3));
            assertThat(asked.stream().map(CompletableFuture::join)).contains(200, 503);
            assertThat(Duration.between(before, Instant.now())).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void aRowIsExplainedByAnotherReplicaGroupWhileTheWorkerOfThisOneHangs() throws Exception {
        try (SilentWriter hung = hung()) {
            first.others("c", URI.create(other.at("").toString()), new ShardId("people", partition));
            String token =
                    SessionToken.of("people", partition, ChangeLog.version(7)).encode();
            JsonNode row = json(first, "/v1/indexes/by_town/explain?key=7");
            JsonNode receipt = json(first, "/v1/receipts/" + token + "?wait=50ms");

            assertThat(hung.asked.getCount()).isZero();
            assertThat(row.path("outcome").asText()).isEqualTo("in_index");
            assertThat(receipt.path("decided").asBoolean()).isTrue();
        }
    }

    @Test
    void aReceiptOfManyPartitionsOfAWorkerThatHangsComesInTime() throws Exception {
        Map<Integer, RowVersion> versions = new TreeMap<>();
        for (int each = 0; each < 3; each++) {
            versions.put(each, ChangeLog.version(7));
        }
        String token = new SessionToken("people", versions).encode();
        try (SilentWriter hung = hung()) {
            Instant before = Instant.now();
            JsonNode receipt = json(first, "/v1/receipts/" + token + "?wait=200ms");
            assertThat(Duration.between(before, Instant.now())).isLessThan(Duration.ofSeconds(3));
            assertThat(hung.asked.getCount()).isZero();
            assertThat(receipt.path("decided").asBoolean()).isFalse();
            assertThat(receipt.path("partitions")).hasSize(3);
            assertThat(receipt.at("/partitions/2/status").asText()).isEqualTo("unknown");
        }
    }

    /** A worker of another replica group that accepts calls and never answers, as the owner of all people. */
    private SilentWriter hung() throws Exception {
        SilentWriter hung = new SilentWriter(SilentWriter.NOTHING);
        first.owners.clear();
        for (int each = 0; each < 4; each++) {
            first.others("b", hung.url(), new ShardId("people", each));
        }
        return hung;
    }

    private int status(String path) {
        try {
            return first.get(path).statusCode();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void putsTheLagOfAllWorkersTogether() throws Exception {
        JsonNode lag = json(first, "/v1/lag");
        JsonNode people = named(lag.path("tables"), "table", "people");
        assertThat(people.path("partitions")).hasSize(4);
        JsonNode index = named(lag.path("indexes"), "index", "by_town");
        assertThat(index.path("missingPartitions")).isEmpty();
        assertThat(index.path("entries").asLong()).isOne();
        assertThat(index.path("freshnessSeconds").asDouble()).isEqualTo(10);
        assertThat(people.at("/partitions/3/freshnessSeconds").asDouble()).isEqualTo(7);
        assertThat(index.path("state").asText())
                .isEqualTo(named(json(other, "/v1/lag").path("indexes"), "index", "by_town")
                        .path("state")
                        .asText());

        other.close();
        JsonNode less = named(json(first, "/v1/lag").path("indexes"), "index", "by_town");
        assertThat(less.path("missingPartitions")).hasSize(4);
        assertThat(less.path("freshnessSeconds").isNull()).isTrue();
        assertThat(less.path("state").asText()).isEqualTo("unknown");
    }

    @Test
    void theFreshnessOfAllWorkersIsThatOfTheGenerationThatAnswersWhileATableGrows() throws Exception {
        for (WorkerServer worker : List.of(first, other)) {
            Definitions present = worker.bench.definitions();
            String grown =
                    DefinitionJson.of(present.catalog()).toString().replace("\"partitions\":4", "\"partitions\":2");
            worker.bench.withoutProofs().define(present.changed(Tables.catalog(grown), ChangeLog.START));
        }
        TableDefinition layout = first.bench
                .definitions()
                .index("people", "by_town")
                .orElseThrow()
                .current()
                .home(Tables.people());
        URI url = URI.create(other.at("").toString());
        for (int each = 0; each < layout.partitions(); each++) {
            ShardId id = new ShardId(layout.name(), each);
            OpenShard shard = other.bench.open(id);
            ChangeLog filled = new ChangeLog(layout).heartbeat(97);
            other.bench.deliver(shard, Objects.requireNonNull(shard.takeStart()).reading(), filled.take());
            first.others(url, id);
        }
        assertThat(freshness()).as("it is not verified yet").isEqualTo(10);
        for (WorkerServer worker : List.of(first, other)) {
            assertThat(state(worker)).as("the generation before is silent").isEqualTo("unknown");
        }
        List<Owner> before = List.copyOf(first.owners);
        long current = first.bench
                .definitions()
                .index("people", "by_town")
                .orElseThrow()
                .current()
                .id();
        for (int each = 0; each < layout.partitions(); each++) {
            OffsetNote note = new OffsetNote(
                    new Progress(ChangeLog.at(5), ChangeLog.version(5)),
                    NOWHERE,
                    "worker-9",
                    new TreeSet<>(List.of(current)));
            first.owners.add(new Owner(new ShardId(layout.name(), each), "b", true, note));
        }
        first.others(url);
        assertThat(named(whole(first, "/v1/lag").path("indexes"), "index", "by_town")
                        .path("freshnessSeconds")
                        .isNull())
                .as("another replica group answers, and may be further behind")
                .isTrue();
        first.owners.retainAll(before);
        first.others(url);
        assertThat(json(first, "/v1/indexes/by_town")
                        .at("/freshness/stalenessMs")
                        .isNull())
                .isTrue();

        other.bench.proveAll();
        for (WorkerServer worker : List.of(first, other)) {
            assertThat(state(worker)).isEqualTo("steady");
        }
        assertThat(freshness()).isEqualTo(3);
        assertThat(json(first, "/v1/indexes/by_town")
                        .at("/freshness/stalenessMs")
                        .asLong())
                .isEqualTo(3_000);
    }

    @Test
    void theFreshnessOfAnIndexIsUnknownWhereAnotherReplicaGroupAnswersAndThisOneIsNotVerified() throws Exception {
        for (WorkerServer worker : List.of(first, other)) {
            Definitions present = worker.bench.definitions();
            String another = DefinitionJson.of(present.catalog()).toString().replace("\"by_town\"", "\"by_place\"");
            worker.bench.withoutProofs().define(present.changed(Tables.catalog(another), ChangeLog.START));
            worker.bench.run();
        }
        assertThat(staleness()).allMatch(staleness -> staleness.asLong() == 10_000);

        long current = first.bench
                .definitions()
                .index("people", "by_place")
                .orElseThrow()
                .current()
                .id();
        for (int each = 0; each < 4; each++) {
            OffsetNote note = new OffsetNote(
                    new Progress(ChangeLog.at(5), ChangeLog.version(5)),
                    NOWHERE,
                    "worker-9",
                    new TreeSet<>(List.of(current)));
            first.owners.add(new Owner(new ShardId("people", each), "b", true, note));
        }
        first.others(NOWHERE);
        assertThat(staleness())
                .as("another replica group answers, and may be further behind")
                .allMatch(JsonNode::isNull);
    }

    private List<JsonNode> staleness() throws Exception {
        return List.of(
                whole(first, "/v1/indexes/by_place").at("/freshness/stalenessMs"),
                named(whole(first, "/v1/indexes").path("indexes"), "index", "by_place")
                        .at("/freshness/stalenessMs"));
    }

    private static String state(WorkerServer worker) throws Exception {
        return named(whole(worker, "/v1/lag").path("indexes"), "index", "by_town")
                .path("state")
                .asText();
    }

    private double freshness() throws Exception {
        return named(whole(first, "/v1/lag").path("indexes"), "index", "by_town")
                .path("freshnessSeconds")
                .asDouble();
    }

    @Test
    void theFreshnessOfAllWorkersIsUnknownWhereTheirWatermarksAreOfAnEarlierEpoch() throws Exception {
        clockIs(Duration.ZERO, 2);
        assertThatFreshnessIsUnknown();
    }

    @Test
    void theFreshnessOfAllWorkersIsUnknownOnceTheWritersClockWasSetBackBehindTheirWatermarks() throws Exception {
        clockIs(Duration.ofHours(-1), 1);
        assertThatFreshnessIsUnknown();
    }

    @Test
    void theFreshnessIsUnknownWhereAnEarlierWorkerDoesNotStateThatOfItsPartitions() throws Exception {
        ObjectNode earlier = lagOfTheOther();
        partitions(earlier).forEach(one -> one.remove("freshnessSeconds"));
        JsonNode index = lagBeside(earlier, () -> {});
        assertThat(index.path("missingPartitions")).isEmpty();
        assertThat(index.path("freshnessSeconds").isNull()).isTrue();
    }

    @Test
    void whatWasCaughtUpWhenAWorkerSaidSoIsNotOnceTheAnswersHaveTakenLong() throws Exception {
        ObjectNode said = lagOfTheOther();
        partitions(said).forEach(one -> one.put("freshnessSeconds", 0.1).put("oldestUnappliedSeconds", 0));
        JsonNode quick = lagBeside(said, () -> {});
        assertThat(quick.path("oldestUnappliedSeconds").asDouble()).isZero();
        JsonNode late = lagBeside(said, () -> first.bench.clock().advance(Duration.ofSeconds(1)));
        assertThat(late.path("freshnessSeconds").asDouble()).isEqualTo(1.1);
        assertThat(late.path("oldestUnappliedSeconds").asDouble()).isEqualTo(1.1);
    }

    @Test
    void ofTwoWorkersThatListAPartitionTheStalerOneCounts() throws Exception {
        OpenShard here = first.bench.open(new ShardId("people", 3));
        long reading = Objects.requireNonNull(here.takeStart()).reading();
        ChangeLog changes = new ChangeLog(Tables.people()).heartbeat(99);
        first.bench.deliver(here, reading, changes.take());
        ObjectNode said = lagOfTheOther();
        List<ObjectNode> people = partitions(said).stream()
                .filter(one -> one.path("partition").asInt() == 3)
                .toList();

        people.forEach(one -> one.put("freshnessSeconds", 10_800));
        assertThat(lagBeside(said, () -> {}).path("freshnessSeconds").asDouble())
                .isEqualTo(10_800);
        people.forEach(one -> one.putNull("freshnessSeconds"));
        assertThat(lagBeside(said, () -> {}).path("freshnessSeconds").isNull()).isTrue();
        partitions(said).forEach(one -> one.put("freshnessSeconds", 0.5));
        assertThat(lagBeside(said, () -> {}).path("freshnessSeconds").asDouble())
                .as("what is here is staler")
                .isOne();
    }

    @Test
    void theRatesAndTheTimeToCatchUpAreThoseOfTheWorkersThatHavePartitions() throws Exception {
        ShardId behind = new ShardId("people", partition);
        LagSampler sampler = new LagSampler(
                other.bench.lag(),
                shards -> new EndOffsets.Ends(
                        shards.stream().collect(Collectors.toMap(id -> id, id -> id.equals(behind) ? 62L : 1L)),
                        Map.of()),
                other.bench.clock());
        sampler.run();
        other.bench.clock().advance(Duration.ofSeconds(2));
        for (int heartbeat = 0; heartbeat < 10; heartbeat++) {
            log.heartbeat(95);
        }
        other.bench.deliver(other.bench.shards().find(behind).orElseThrow(), otherReading, log.take());
        sampler.run();

        for (WorkerServer worker : List.of(other, first)) {
            JsonNode lag = whole(worker, "/v1/lag");
            JsonNode people = named(lag.path("tables"), "table", "people");
            assertThat(people.path("arrivalPerSecond").asDouble(-1)).isZero();
            assertThat(people.path("appliedPerSecond").asDouble()).isEqualTo(5);
            assertThat(people.path("etaSeconds").asDouble()).isEqualTo(10);
            assertThat(named(lag.path("indexes"), "index", "by_town")
                            .path("etaSeconds")
                            .asDouble())
                    .isEqualTo(10);
        }

        for (int second = 0; second < 4; second += 2) {
            other.bench.clock().advance(Duration.ofSeconds(2));
            sampler.run();
        }
        for (WorkerServer worker : List.of(other, first)) {
            JsonNode stopped = named(whole(worker, "/v1/lag").path("indexes"), "index", "by_town");
            assertThat(stopped.path("etaSeconds").isNull()).isTrue();
            assertThat(stopped.path("gainsNothing").asBoolean()).isTrue();
        }
    }

    @Test
    void aWorkerThatIsNotLateDoesNotHideWhenAnotherOneHasCaughtUp() throws Exception {
        ObjectNode late = lagOfTheOther();
        ObjectNode caughtUp = late.deepCopy();
        figures(late, 5, 9, true).put("etaSeconds", 40);
        figures(caughtUp, 10, 10, false).putNull("etaSeconds");
        JsonNode people = named(lagBeside(() -> {}, late, caughtUp).path("tables"), "table", "people");
        assertThat(people.path("arrivalPerSecond").asDouble()).isEqualTo(15);
        assertThat(people.path("appliedPerSecond").asDouble()).isEqualTo(19);
        assertThat(people.path("etaSeconds").asDouble()).isEqualTo(40);
        assertThat(people.path("gainsNothing").asBoolean(true)).isFalse();

        figures(caughtUp, 10, 10, true).put("gainsNothing", true);
        JsonNode never = named(lagBeside(() -> {}, late, caughtUp).path("tables"), "table", "people");
        assertThat(never.path("etaSeconds").isNull()).as("one does not gain").isTrue();
        assertThat(never.path("gainsNothing").asBoolean()).isTrue();

        figures(caughtUp, 10, 10, true).remove(List.of("late", "gainsNothing"));
        JsonNode earlier = named(lagBeside(() -> {}, late, caughtUp).path("tables"), "table", "people");
        assertThat(earlier.path("etaSeconds").isNull())
                .as("an earlier worker may have to catch up")
                .isTrue();
        assertThat(earlier.path("gainsNothing").asBoolean(true)).isFalse();

        ((ArrayNode) figures(late, 5, 9, true).path("partitions")).remove(0);
        JsonNode lacking = named(lagBeside(() -> {}, late).path("tables"), "table", "people");
        assertThat(lacking.path("partitions")).hasSize(3);
        assertThat(lacking.path("arrivalPerSecond").isNull()).isTrue();
        assertThat(lacking.path("etaSeconds").isNull()).isTrue();
    }

    private static ObjectNode figures(JsonNode lag, double arrival, double applied, boolean late) {
        ObjectNode people = (ObjectNode) named(lag.path("tables"), "table", "people");
        return people.put("arrivalPerSecond", arrival)
                .put("appliedPerSecond", applied)
                .put("late", late);
    }

    @Test
    void aMeanOfAllWorkersIsThatOfTheirRecentChanges() throws Exception {
        ObjectNode idle = lagOfTheOther();
        ObjectNode busy = idle.deepCopy();
        ObjectNode slow = idle.deepCopy();
        times(idle).forEach(times -> times.put("count", 1_000_000).put("recent", 0));
        times(busy).forEach(times -> times.put("count", 1_000_000).put("recent", 30));
        times(busy)
                .forEach(times -> List.of("meanSeconds", "p50Seconds", "p99Seconds", "maxSeconds")
                        .forEach(name -> times.put(name, 0.1)));
        times(slow).forEach(times -> times.put("count", 10).put("recent", 10));
        times(slow)
                .forEach(times -> List.of("meanSeconds", "p50Seconds", "p99Seconds", "maxSeconds")
                        .forEach(name -> times.put(name, 0.9)));

        JsonNode lag = lagBeside(() -> {}, idle, busy, slow);
        JsonNode people = named(lag.path("tables"), "table", "people");
        for (JsonNode times : List.of(
                people.at("/stages/0"),
                named(lag.path("indexes"), "index", "by_town").path("visibility"))) {
            assertThat(times.path("count").asLong()).isEqualTo(2_000_010);
            assertThat(times.path("meanSeconds").asDouble()).isCloseTo(0.3, within(1e-9));
            assertThat(times.path("p99Seconds").asDouble()).isEqualTo(0.9);
        }
    }

    /** The times of people in each stage, and of the index by town. */
    private static List<ObjectNode> times(JsonNode lag) {
        List<ObjectNode> times = new ArrayList<>();
        named(lag.path("tables"), "table", "people").path("stages").forEach(one -> times.add((ObjectNode) one));
        times.add((ObjectNode) named(lag.path("indexes"), "index", "by_town").path("visibility"));
        return times;
    }

    private ObjectNode lagOfTheOther() throws Exception {
        try (InputStream said = other.at(PeerRoutes.LAG).toURL().openStream()) {
            return (ObjectNode) RowJson.parse(said.readAllBytes());
        }
    }

    private static List<ObjectNode> partitions(JsonNode lag) {
        List<ObjectNode> partitions = new ArrayList<>();
        for (JsonNode table : lag.path("tables")) {
            table.path("partitions").forEach(one -> partitions.add((ObjectNode) one));
        }
        return partitions;
    }

    /** The lag of an index whose shards are at a worker that says this, after something has happened. */
    private JsonNode lagBeside(ObjectNode said, Runnable before) throws Exception {
        return named(lagBeside(before, said).path("indexes"), "index", "by_town");
    }

    /** The lag of a group in which each of these is what a worker says, after something has happened. */
    private JsonNode lagBeside(Runnable before, ObjectNode... said) throws Exception {
        List<HttpServer> peers = new ArrayList<>();
        try {
            first.owners.clear();
            for (ObjectNode one : said) {
                HttpServer peer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
                peers.add(peer);
                peer.createContext(PeerRoutes.LAG, exchange -> {
                    before.run();
                    byte[] answer = RowJson.write(one);
                    exchange.sendResponseHeaders(200, answer.length);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
                peer.start();
                first.others(
                        URI.create("http://127.0.0.1:" + peer.getAddress().getPort()),
                        new ShardId("people", partition));
            }
            return whole(first, "/v1/lag");
        } finally {
            peers.forEach(peer -> peer.stop(0));
        }
    }

    private void clockIs(Duration ahead, long epoch) {
        Optional<CommitBound> bound = Optional.of(new CommitBound(now, new RowVersion(epoch, 7)));
        writerTime.answered(new ClockReading(now, now, now.plus(ahead), "writer " + ahead + epoch, bound));
    }

    private void assertThatFreshnessIsUnknown() throws Exception {
        for (WorkerServer worker : List.of(other, first)) {
            JsonNode lag = whole(worker, "/v1/lag");
            JsonNode people = named(lag.path("tables"), "table", "people");
            assertThat(people.at("/partitions/0/freshnessSeconds").isNull()).isTrue();
            JsonNode index = named(lag.path("indexes"), "index", "by_town");
            assertThat(index.path("missingPartitions")).isEmpty();
            assertThat(index.path("freshnessSeconds").isNull()).isTrue();
            for (JsonNode shown : List.of(
                    whole(worker, "/v1/indexes/by_town"),
                    named(whole(worker, "/v1/indexes").path("indexes"), "index", "by_town"))) {
                assertThat(shown.at("/freshness/completeUpTo").isNull()).isFalse();
                assertThat(shown.at("/freshness/stalenessMs").isNull()).isTrue();
            }
        }
    }

    @Test
    void putsWhatAllWorkersSayOfAnIndexTogether() throws Exception {
        JsonNode index = named(whole(first, "/v1/indexes").path("indexes"), "index", "by_town");
        JsonNode there = named(json(other, "/v1/indexes").path("indexes"), "index", "by_town");
        assertThat(index).isEqualTo(there);
        assertThat(index.at("/life/state").asText()).isEqualTo("ready");
        assertThat(index.at("/life/serves").asBoolean()).isTrue();
        assertThat(index.path("entries").asLong()).isOne();
        assertThat(index.at("/freshness/completeUpTo").asText())
                .isEqualTo(ChangeLog.at(90).toString());
        assertThat(index.path("missingPartitions")).isEmpty();
        assertThat(whole(first, "/v1/indexes/by_town")).isEqualTo(json(other, "/v1/indexes/by_town"));
        JsonNode lag = named(whole(first, "/v1/lag").path("indexes"), "index", "by_town");
        assertThat(lag.path("life")).isEqualTo(index.path("life"));
    }

    @Test
    void namesThePartitionsThatNoWorkerSpeaksFor() throws Exception {
        other.close();
        JsonNode index = json(first, "/v1/indexes/by_town");
        assertThat(index.path("missingPartitions").toString()).isEqualTo("[0,1,2,3]");
        assertThat(index.path("state").asText()).isEqualTo("unknown");
        assertThat(index.at("/freshness/completeUpTo").isNull()).isTrue();
        assertThat(index.at("/digest/equal").isNull()).isTrue();
        assertThat(index.path("shards")).isEmpty();
    }

    @Test
    void theWorstShardOfAllWorkersDecidesTheStateOfAnIndex() throws Exception {
        OpenShard here = first.bench.open(new ShardId("people", 0));
        ChangeLog changes = new ChangeLog(Tables.people());
        changes.heartbeat(85);
        first.bench.deliver(here, Objects.requireNonNull(here.takeStart()).reading(), changes.take());
        other.bench.shards().revoke(new ShardId("people", 0));
        other.bench.withoutProofs();
        other.bench.shards().rebuild(new ShardId("people", partition), "a test wants it");
        other.bench.run();

        JsonNode index = named(whole(first, "/v1/indexes").path("indexes"), "index", "by_town");
        assertThat(index.path("missingPartitions")).isEmpty();
        assertThat(index.at("/life/state").asText()).isEqualTo("verifying");
        assertThat(index.path("shards").isMissingNode()).isTrue();
        JsonNode shards = whole(first, "/v1/indexes/by_town").path("shards");
        assertThat(shards).hasSize(4);
        assertThat(shards.at("/0/phase").asText()).isEqualTo("ready");
        assertThat(shards.at("/0/part").isMissingNode()).isTrue();
    }

    @Test
    void verifiesTheShardsOfAllWorkers() throws Exception {
        VerifyAgent here = verifier(first);
        VerifyAgent there = verifier(other);
        share();
        JsonNode order = verified("{'table':'people','mode':'full'}");
        assertThat(order.path("replicaGroup").asText()).isEqualTo("a");
        assertThat(order.path("state").asText()).isEqualTo("waiting");
        assertThat(order.path("workers")).hasSize(2);

        here.doWork();
        assertThat(json(first, "/v1/verify/1").path("state").asText()).isEqualTo("running");
        there.doWork();
        JsonNode done = job("running");
        assertThat(done.path("state").asText()).isEqualTo("done");
        assertThat(done.path("missingPartitions")).isEmpty();
        assertThat(done.path("equal").asBoolean()).isTrue();
        assertThat(done.path("rows").asLong()).isOne();
        assertThat(done.path("indexes")).hasSize(2);
        assertThat(done.at("/indexes/0/valid").asLong()).isOne();
        assertThat(done.path("workers").toString())
                .contains("\"state\":\"done\"")
                .doesNotContain("running");
    }

    @Test
    void repairsTheShardsOfAllWorkers() throws Exception {
        facts.put(8, log.key("8"), "{\"id\":8,\"town\":\"Oslo\",\"name\":\"Eve\"}");
        VerifyAgent there = verifier(other);
        verified("{'table':'people','repair':true}");
        verifier(first).doWork();
        CompletableFuture<Integer> repairing = OwnThread.supply(() -> {
            try {
                return there.doWork();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        while (!repairing.isDone()) {
            other.bench.run();
            Thread.sleep(1);
        }
        JsonNode done = job("running");
        assertThat(done.path("repaired").asLong()).isOne();
        assertThat(done.at("/indexes/0/missing").asLong()).isOne();
        assertThat(done.path("equal").asBoolean()).isTrue();
    }

    @Test
    void namesThePartitionsThatAWorkerWhichIsGoneDidNotVerify() throws Exception {
        VerifyAgent here = verifier(first);
        share();
        verified("{'table':'people'}");
        here.doWork();
        other.close();
        assertThat(json(first, "/v1/verify/1").path("state").asText()).isEqualTo("running");

        first.bench.clock().advance(Duration.ofSeconds(11));
        JsonNode done = json(first, "/v1/verify/1");
        assertThat(done.path("state").asText()).isEqualTo("done");
        assertThat(done.path("missingPartitions").toString()).isEqualTo("[1,2,3]");
        assertThat(done.path("equal").asBoolean()).isFalse();
        assertThat(done.path("detail").asText()).endsWith("does not answer");
    }

    /** Gives the first worker a partition of the other one. */
    private void share() throws Exception {
        OpenShard here = first.bench.open(new ShardId("people", 0));
        ChangeLog changes = new ChangeLog(Tables.people());
        changes.heartbeat(85);
        first.bench.deliver(here, Objects.requireNonNull(here.takeStart()).reading(), changes.take());
        other.bench.shards().revoke(new ShardId("people", 0));
    }

    private VerifyAgent verifier(WorkerServer worker) {
        return new VerifyAgent(
                worker.desk,
                worker.bench.shards(),
                facts,
                MemoryBudget.unlimited().part("verification", 1),
                new VerifyTotals(),
                Duration.ZERO,
                worker.bench.clock());
    }

    private JsonNode verified(String order) throws Exception {
        HttpResponse<byte[]> answer = first.post("/v1/verify", order);
        assertThat(answer.statusCode()).isEqualTo(202);
        return RowJson.parse(answer.body());
    }

    /** What became of an order, once that is not the one thing that it is while a worker is slow to answer. */
    private JsonNode job(String not) throws Exception {
        JsonNode job = json(first, "/v1/verify/1");
        for (int tries = 0; tries < 20 && job.path("state").asText().equals(not); tries++) {
            job = json(first, "/v1/verify/1");
        }
        return job;
    }

    @Test
    void advisesByTheQueriesOfAllWorkers() throws Exception {
        for (int query = 0; query < 3; query++) {
            json(other, "/v1/indexes/films.whole/entries");
        }
        json(first, "/v1/indexes/films.whole/entries");
        JsonNode report = json(first, "/v1/advice");
        assertThat(named(report.path("indexes"), "index", "films.whole")
                        .path("queries")
                        .asLong())
                .isEqualTo(4);

        other.close();
        first.bench.clock().advance(Duration.ofHours(2));
        JsonNode less = json(first, "/v1/advice");
        assertThat(less.path("notes").toString()).contains("1 other worker does not say which queries it answered");
        assertThat(less.path("advice").toString()).doesNotContain("never_queried");
    }

    @Test
    void namesTheHeavyKeysOfTheChangesThatAllWorkersApplied() throws Exception {
        OpenShard shard =
                other.bench.shards().find(new ShardId("people", partition)).orElseThrow();
        List.of(first, other).forEach(worker -> worker.bench.clock().advance(Duration.ofMinutes(20)));
        for (int change = 100; change < 1_200; change++) {
            String town = change % 2 == 0 ? "T" + change : "Rome";
            log.put(change, "{\"id\":7,\"town\":\"" + town + "\",\"name\":\"Ada\"}");
            other.bench.deliver(shard, otherReading, log.take());
        }
        JsonNode index = named(json(first, "/v1/advice").path("indexes"), "index", "by_town");
        assertThat(index.path("entries").asLong()).as("it has no shard itself").isZero();
        assertThat(index.path("heavyKeys")).hasSize(1);
        assertThat(index.at("/heavyKeys/0/key").toString()).isEqualTo("[\"Rome\",\"Ada\"]");
        assertThat(index.at("/heavyKeys/0/share").asDouble()).isBetween(0.3, 0.6);
        assertThat(named(json(other, "/v1/advice").path("indexes"), "index", "by_town")
                        .path("heavyKeys"))
                .isEqualTo(index.path("heavyKeys"));
    }

    @Test
    void namesTheHotShardOfASkewedTableAndNoneOfAnEvenOne() throws Exception {
        List.of(first, other).forEach(worker -> worker.bench.clock().advance(Duration.ofMinutes(20)));
        assertThat(workers().path("skew")).isEmpty();
        OpenShard shard =
                other.bench.shards().find(new ShardId("people", partition)).orElseThrow();
        for (int id = 100; id < 4_100; id++) {
            if (Tables.people().partitionOf(log.key(String.valueOf(id))) == partition) {
                log.put(id / 4, "{\"id\":" + id + ",\"town\":\"Oslo\",\"name\":\"N" + id + "\"}");
            }
        }
        other.bench.deliver(shard, otherReading, log.take());

        JsonNode skew = workers().path("skew");
        assertThat(skew).hasSize(1);
        assertThat(skew.at("/0/text").asText())
                .isEqualTo("people-" + partition + " of group a has 4.0 times the rows of the average shard");
        assertThat(skew.at("/0/partition").asInt()).isEqualTo(partition);
        assertThat(skew.at("/0/figure").asText()).isEqualTo("rows");
    }

    /** An answer for which the other worker was soon enough. */
    private JsonNode workers() throws Exception {
        JsonNode answer = json(first, "/v1/workers");
        for (int tries = 0; tries < 20 && !answer.path("problems").isEmpty(); tries++) {
            answer = json(first, "/v1/workers");
        }
        return answer;
    }

    private static JsonNode named(JsonNode list, String member, String name) {
        for (JsonNode one : list) {
            if (one.path(member).asText().equals(name)) {
                return one;
            }
        }
        throw new AssertionError("expected " + name + " in " + list);
    }

    /** An answer for which the other worker was soon enough, which it may not be on a busy machine. */
    private static JsonNode whole(WorkerServer worker, String path) throws Exception {
        JsonNode answer = json(worker, path);
        for (int tries = 0; tries < 20 && answer.toString().contains("\"missingPartitions\":[0"); tries++) {
            answer = json(worker, path);
        }
        return answer;
    }

    private static JsonNode json(WorkerServer worker, String path) throws Exception {
        HttpResponse<byte[]> answer = worker.get(path);
        assertThat(answer.statusCode())
                .as(new String(answer.body(), StandardCharsets.UTF_8))
                .isEqualTo(200);
        return RowJson.parse(answer.body());
    }
}
