package dev.tidemark.worker.http;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.tidemark.change.Heartbeat;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerRoutesTest {
    private static final ShardId FILMS = new ShardId("films", 0);
    private static final String ALIEN = "{\"id\":1,\"title\":\"Alien\",\"year\":1979,\"cast\":[\"Weaver\",\"Hurt\"]}";

    private final WorkerServer server = server();

    @BeforeEach
    void follow() {
        server.films.put(99, ALIEN).heartbeat(100);
        server.deliver();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void answersAQueryInTheShapeOfTheContract() throws Exception {
        assertThat(server.json("/v1/indexes/by_actor/entries?cast=Weaver"))
                .isEqualTo(json("{'index':'by_actor','entries':[{'key':{'cast':'Weaver'},'primaryKey':1,'shard':0,"
                        + "'version':'0001000000000000099','row':{'title':'Alien'}}],'next':null,"
                        + "'freshness':{'completeUpTo':'2026-01-01T00:01:40Z','stalenessMs':0,'state':'steady'}}"));
    }

    @Test
    void aLargeAnswerIsBuiltOnlyWhereThereIsMemoryForIt() throws Exception {
        MemoryBudget.Part answers = server.ofCalls.parts().stream()
                .filter(part -> part.name().equals("answers"))
                .findFirst()
                .orElseThrow();
        try (MemoryBudget.Reservation others =
                answers.tryReserve(answers.limit() - 1_000).orElseThrow()) {
            assertThat(others.bytes()).isPositive();
            for (String path : List.of("/v1/history", "/v1/lag", "/v1/indexes", "/v1/advice")) {
                assertThat(server.get(path).statusCode()).as(path).isEqualTo(503);
            }
            assertThat(server.get("/v1/indexes/by_year").statusCode()).isEqualTo(200);
        }
        assertThat(server.get("/v1/history").statusCode()).isEqualTo(200);
    }

    @Test
    void aReferenceHasNoRow() throws Exception {
        JsonNode entry = server.json("/v1/indexes/by_year/entries?year=1979").at("/entries/0");
        assertThat(entry.has("row")).isFalse();
        assertThat(entry.path("key")).isEqualTo(json("{'year':1979,'title':'Alien'}"));
    }

    @Test
    void theWholeRowIsCarriedAsItWasWritten() throws Exception {
        assertThat(server.json("/v1/indexes/films.whole/entries").at("/entries/0/row"))
                .isEqualTo(RowJson.parse(ALIEN.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/indexes/by_colour/entries, 404, expected one of the indexes",
        "/v1/indexes/whole/entries, 400, films.whole or people.whole",
        "/v1/indexes/by_actor/entries?colour=red, 400, expected a condition on one of the key parts",
        "/v1/indexes/by_actor/entries?cursor=forged, 400, expected a cursor",
        "/v1/indexes/by_actor/entries?token=forged, 400, expected a token",
        "/v1/indexes/by_town/entries, 503, lacks partition 0",
        "/v1/indexes/by_actor/entries?fetch=row, 503, cannot be reached",
        "/v1/quarantine?limit=0, 400, limit",
        "/v1/quarantine?cursor=forged, 400, expected a cursor",
        "/v1/quarantine?limt=1, 400, 'expected no parameters other than limit, cursor, but got limt'",
        "/v1/lag?cache=0, 400, 'expected no parameters, but got cache'",
        "/v1/nothing, 404, nothing is at"
    })
    void answersAProblemThatSaysWhatWasExpected(String path, int status, String detail) throws Exception {
        HttpResponse<byte[]> answer = server.get(path);
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(RowJson.parse(answer.body()).path("detail").textValue()).contains(detail);
        assertThat(answer.headers().firstValue("Retry-After").isPresent()).isEqualTo(status == 503);
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/indexes/by_actor/entries?limit=10001, tidemark:limit-too-large",
        "/v1/indexes/by_actor/entries?limit=0, about:blank",
        "/v1/indexes/by_actor/entries?wait=31s, tidemark:wait-too-long",
        "/v1/indexes/by_actor/entries?limit=9999999999999, tidemark:limit-too-large",
        "/v1/quarantine?limit=100000, tidemark:limit-too-large",
        "/v1/quarantine?limit=9999999999999, tidemark:limit-too-large",
        "/v1/quarantine?limit=-9999999999999, about:blank"
    })
    void whatIsBeyondALimitIsNamedForPrograms(String path, String type) throws Exception {
        HttpResponse<byte[]> answer = server.get(path);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(RowJson.parse(answer.body()).path("type").textValue()).isEqualTo(type);
    }

    @Test
    void aTokenOfAnEpochThatIsOverIsRefusedForGood() throws Exception {
        RowVersion later = new RowVersion(2, 120);
        server.films.add(new Heartbeat(ChangeLog.at(120), later));
        server.deliver();

        String lost = SessionToken.of("films", 0, ChangeLog.version(99)).encode();
        HttpResponse<byte[]> answer = server.get("/v1/indexes/by_actor/entries?token=" + lost);
        assertThat(answer.statusCode()).isEqualTo(410);
        assertThat(RowJson.parse(answer.body()).path("detail").textValue())
                .contains("epoch 1")
                .contains("gone back in time");

        String kept = SessionToken.of("films", 0, later).encode();
        assertThat(server.get("/v1/indexes/by_actor/entries?token=" + kept).statusCode())
                .isEqualTo(200);
    }

    @Test
    void namesThePartitionThatIsBuiltAgainAndWhenToComeAgain() throws Exception {
        server.bench.end(FILMS, server.films.end() + 1);
        server.bench.shards().rebuild(FILMS, "a test wants it");
        server.bench.run();

        HttpResponse<byte[]> answer = server.get("/v1/indexes/by_actor/entries");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        JsonNode problem = RowJson.parse(answer.body());
        assertThat(problem.path("detail").textValue())
                .contains("table films")
                .contains("partition 0 (restoring: built again from its topic, at offset 0)");
        assertThat(problem.path("state").textValue()).isEqualTo("restoring");
        assertThat(problem.path("missingPartitions")).isEqualTo(json("[0]"));
        assertThat(server.json("/v1/indexes/by_actor").at("/life/state").textValue())
                .isEqualTo("rebuilding");
        assertThat(server.text("/health/ready")).contains("DOWN");
    }

    @Test
    void whoRunsIntoDamageIsToldToComeAgainAndTheShardIsBuiltAgain() throws Exception {
        long generation = Tables.generations(Tables.films()).get(0).id();
        KeyBytes garbage = KeyBytes.wrap(new byte[] {(byte) 0xff, 1});
        server.bench.stores().meddle(FILMS, new IndexMutation.PutEntry(generation, garbage, KeyBytes.EMPTY));

        HttpResponse<byte[]> answer = server.get("/v1/indexes/by_actor/entries");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        JsonNode problem = RowJson.parse(answer.body());
        assertThat(problem.path("detail").textValue()).contains("partition 0 of table films is damaged");
        assertThat(problem.path("state").textValue()).isEqualTo("restoring");
        assertThat(server.bench.shards().find(FILMS).orElseThrow().isLeaving()).isTrue();
    }

    @Test
    void listsTheIndexesWithTheirDefinitionAndState() throws Exception {
        JsonNode indexes = server.json("/v1/indexes").path("indexes");
        assertThat(indexes.findValuesAsText("index"))
                .containsExactly("by_actor", "by_year", "films.whole", "by_town", "people.whole");
        ObjectNode first = (ObjectNode) indexes.get(0);
        assertThat(first.path("digest").path("entries").textValue()).hasSize(32);
        assertThat(first.path("digest").path("equal").isNull()).isTrue();
        first.remove("digest");
        assertThat(first)
                .isEqualTo(
                        json(
                                "{'index':'by_actor','table':'films','key':[{'field':'cast','order':'asc','each':true}],"
                                        + "'projection':['title'],'where':{},'state':'steady','generation':1,"
                                        + "'life':{'state':'ready','since':'2026-01-01T00:01:40Z',"
                                        + "'cause':'proven equal to its table','generation':1,'serves':true},"
                                        + "'progress':{'rowsDone':1,'rowsTotal':1,'rowsPerSecond':null,'etaSeconds':null},'refused':0,'entries':2,"
                                        + "'partitions':1,'missingPartitions':[],"
                                        + "'freshness':{'completeUpTo':'2026-01-01T00:01:40Z','stalenessMs':0,'state':'steady'}}"));
        assertThat(indexes.get(3).path("state").textValue()).isEqualTo("unknown");
    }

    @Test
    void anIndexIsNotSaidToBeFreshByAPartOfItsPartitions() throws Exception {
        OpenShard part = server.bench.open(new ShardId("people", 2));
        ChangeLog log = new ChangeLog(Tables.people()).heartbeat(100);
        server.bench.deliver(part, Objects.requireNonNull(part.takeStart()).reading(), log.take());

        for (JsonNode index : List.of(server.json("/v1/lag").at("/indexes/3"), server.json("/v1/indexes/by_town"))) {
            assertThat(index.path("missingPartitions"))
                    .isEqualTo(RowJson.parse("[0,1,3]".getBytes(StandardCharsets.UTF_8)));
            assertThat(index.path("partitions").intValue()).isEqualTo(4);
            assertThat(index.path("state").textValue()).isEqualTo("unknown");
            assertThat(index.path("freshnessSeconds").isNumber()).isFalse();
            assertThat(index.at("/freshness/stalenessMs").isNumber()).isFalse();
        }
    }

    @Test
    void nothingIsSaidOfAWholeIndexByAPartOfItsPartitions() throws Exception {
        OpenShard part = server.bench.open(new ShardId("people", 2));
        ChangeLog log = new ChangeLog(Tables.people()).heartbeat(100);
        server.bench.deliver(part, Objects.requireNonNull(part.takeStart()).reading(), log.take());

        JsonNode index = server.json("/v1/lag").at("/indexes/3");

        for (String member : List.of("recordsBehind", "oldestUnappliedSeconds", "etaSeconds")) {
            assertThat(index.path(member).isNull()).as(member).isTrue();
        }
        assertThat(index.at("/life/state").textValue()).isEqualTo("unknown");
        assertThat(index.at("/life/serves").booleanValue()).isFalse();
        assertThat(index.at("/life/cause").textValue())
                .isEqualTo("3 of the 4 partitions of its table are not at this worker");
        assertThat(server.json("/v1/lag")
                        .at("/tables/1/partitions/0/oldestUnappliedSeconds")
                        .isNumber())
                .isTrue();
    }

    @Test
    void tellsLagAndNeverAZeroThatIsNotKnown() throws Exception {
        server.bench.clock().advance(Duration.ofSeconds(2));
        JsonNode lag = server.json("/v1/lag");
        JsonNode partition = lag.at("/tables/0/partitions/0");
        assertThat(partition.path("recordsBehind").isNull()).isTrue();
        assertThat(partition.path("oldestUnappliedSeconds").doubleValue()).isEqualTo(2.0);
        assertThat(partition.path("completeUpTo").textValue())
                .isEqualTo(ChangeLog.at(100).toString());
        JsonNode unassigned = lag.at("/indexes/3");
        assertThat(unassigned.path("freshnessSeconds").isNull()).isTrue();
        assertThat(unassigned.path("state").textValue()).isEqualTo("unknown");
        assertThat(unassigned.at("/life/state").textValue()).isEqualTo("unknown");
        assertThat(lag.at("/indexes/0/life/state").textValue()).isEqualTo("ready");
        assertThat(lag.at("/indexes/0/life/since").textValue())
                .isEqualTo(ChangeLog.at(100).toString());
    }

    @Test
    void tellsTheLagOfAShardWhoseWatermarkIsCenturiesOld() throws Exception {
        server.films.add(new Heartbeat(Instant.parse("1500-01-01T00:00:00Z"), ChangeLog.version(101)));
        server.deliver();

        JsonNode lag = server.json("/v1/lag");

        assertThat(lag.at("/tables/0/partitions/0/completeUpTo").textValue()).isEqualTo("1500-01-01T00:00:00Z");
        assertThat(lag.at("/tables/0/partitions/0/freshnessSeconds").doubleValue())
                .isGreaterThan(9e9);
    }

    @Test
    void listsQuarantinedRecordsAndTurnsDegraded() throws Exception {
        server.films.garbage("1").heartbeat(100);
        server.deliver();
        JsonNode quarantine = server.json("/v1/quarantine");
        assertThat(quarantine.path("count").intValue()).isEqualTo(1);
        assertThat(quarantine.at("/records/0/key").intValue()).isEqualTo(1);
        assertThat(quarantine.at("/records/0/value").textValue()).isEqualTo("{no");
        assertThat(quarantine.at("/records/0/reason").textValue()).contains("ce_type");
        JsonNode answer = server.json("/v1/indexes/by_actor/entries");
        assertThat(answer.path("entries")).isEmpty();
        assertThat(answer.at("/freshness/state").textValue()).isEqualTo("degraded");
        JsonNode quarantined = answer.at("/freshness/quarantined");
        assertThat(quarantined.path("count").intValue()).isEqualTo(1);
        assertThat(quarantined.at("/rows/0/primaryKey").intValue()).isEqualTo(1);
        assertThat(quarantined.at("/rows/0/partition").intValue()).isZero();
        assertThat(quarantined.at("/rows/0/reason").textValue()).contains("ce_type");
        assertThat(server.get("/health/ready").statusCode()).isEqualTo(200);
        assertThat(server.text("/health/ready")).contains("1 records are in quarantine");
    }

    @Test
    void aRefusalSaysHowStaleTheAnswerWouldHaveBeen() throws Exception {
        server.bench.clock().advance(Duration.ofNanos(2_000_000_001));
        HttpResponse<byte[]> answer = server.get("/v1/indexes/by_actor/entries?max_staleness=2s&wait=1ms");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        assertThat(RowJson.parse(answer.body()))
                .isEqualTo(json("{'type':'about:blank','title':'Not answerable now','status':503,"
                        + "'detail':'an answer would be staler than max_staleness of 2000 ms: it is 2001 ms behind',"
                        + "'completeUpTo':'2026-01-01T00:01:40Z','stalenessMs':2001,'state':'steady'}"));
    }

    @Test
    void aRefusalNamesThePartitionsThatAreElsewhere() throws Exception {
        JsonNode problem = server.json("/v1/indexes/by_town/entries?allow_partial=true");
        assertThat(problem.path("missingPartitions")).isEqualTo(json("[0,1,2,3]"));
        assertThat(problem.path("stalenessMs").isNull()).isTrue();
    }

    @Test
    void refusesWithoutALeaseAndSaysWhy() throws Exception {
        server.refusal = Optional.of("paused for too long");
        HttpResponse<byte[]> answer = server.get("/v1/indexes/by_actor/entries");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        assertThat(RowJson.parse(answer.body()).path("detail").textValue()).isEqualTo("paused for too long");
    }

    @Test
    void aPausedTableStillAnswersAndSaysHowOldItIs() throws Exception {
        assertThat(RowJson.parse(server.post("/v1/tables/films/pause").body()))
                .isEqualTo(json("{'table':'films','paused':true,'since':'2026-01-01T00:01:40Z'}"));
        server.films.put(101, ALIEN.replace("1979", "2012")).heartbeat(102);
        server.deliver();
        server.bench.clock().advance(Duration.ofSeconds(7));
        JsonNode answer = server.json("/v1/indexes/by_year/entries");
        assertThat(answer.at("/entries/0/key/year").intValue()).isEqualTo(1979);
        assertThat(answer.path("freshness"))
                .isEqualTo(json("{'completeUpTo':'2026-01-01T00:01:40Z','stalenessMs':7000,'state':'paused'}"));
        assertThat(server.post("/v1/tables/films/pause").statusCode()).isEqualTo(200);
        assertThat(RowJson.parse(server.post("/v1/tables/films/resume").body()))
                .isEqualTo(json("{'table':'films','paused':false,'since':null}"));
        server.deliverAgain();
        answer = server.json("/v1/indexes/by_year/entries");
        assertThat(answer.at("/entries/0/key/year").intValue()).isEqualTo(2012);
        assertThat(answer.at("/freshness/state").textValue()).isEqualTo("steady");
    }

    @Test
    void onlyATableOfTheCatalogCanBePaused() throws Exception {
        HttpResponse<byte[]> answer = server.post("/v1/tables/colours/pause");
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(RowJson.parse(answer.body()).path("detail").textValue()).contains("[films, people]", "colours");
        assertThat(server.post("/v1/tables/colours/resume").statusCode()).isEqualTo(404);
    }

    @Test
    void keepsTheFreshnessOfEveryIndex() throws Exception {
        server.sampler.doWork();
        server.bench.clock().advance(Duration.ofSeconds(5));
        server.sampler.doWork();
        JsonNode answer = server.json("/v1/history");
        assertThat(answer.path("intervalSeconds").intValue()).isEqualTo(5);
        assertThat(answer.path("now").doubleValue()).isEqualTo(ChangeLog.at(105).toEpochMilli() / 1e3);
        assertThat(answer.at("/indexes/0"))
                .isEqualTo(json(
                        "{'index':'by_actor','points':[[" + (ChangeLog.at(100).getEpochSecond() + 5) + ",0.0]]}"));
        assertThat(answer.at("/indexes/3/points/0/1").isNull()).isTrue();
    }

    @Test
    void roundsTheAgesOfItsHistoryUp() throws Exception {
        server.bench.clock().advance(Duration.ofNanos(1_000_001));
        server.sampler.doWork();
        server.bench.clock().advance(Duration.ofSeconds(5));
        server.sampler.doWork();
        assertThat(server.json("/v1/history").at("/indexes/0/points/0/1").doubleValue())
                .isEqualTo(0.002);
    }

    @Test
    void isReadyOnlyWithEveryShardCaughtUp() throws Exception {
        server.bench.brokersAway(true);
        server.bench.open(new ShardId("people", 0));
        assertThat(server.get("/health/ready").statusCode()).isEqualTo(503);
        assertThat(server.text("/health/ready")).contains("the brokers are away");
    }

    private static WorkerServer server() {
        try {
            // Nobody listens there.
            return new WorkerServer(URI.create("http://127.0.0.1:1"));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode json(String singleQuoted) throws Exception {
        return RowJson.parse(singleQuoted.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
