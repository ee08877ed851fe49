package dev.tidemark.deploy.e2e;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.catalog.DefinitionsTopic;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.change.WireRecord;
import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.http.Caller;
import dev.tidemark.deploy.e2e.kafka.RawTopic;
import dev.tidemark.deploy.e2e.load.People;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Who may write into the topics forges records: what is wrong is named and mended, and nothing else is harmed. */
@ExtendWith(SharedStack.class)
@TakesTurns(turn = 1, of = 3)
class ForgedRecordsIT {
    private static final String TABLE = "forged_people";
    private static final String VICTIM = "row-3";
    private static final String OTHER_TABLE = "own_people";
    private static final int ROWS = 30;
    private static final RowVersion NEVER_GIVEN = new RowVersion(1, 999_999_999);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration STEP = Duration.ofMillis(50);

    /** A machine with many stacks may stand still for a while; a forged time is years away. */
    private static final Duration SANE = Duration.ofSeconds(20);

    private final StackUnderTest stack;
    private final VerifyJobs jobs;
    private final TableDefinition table;
    private final ChangeCodec codec = new ChangeCodec(TABLE);
    private final People people = new People(new Random(13));

    ForgedRecordsIT(StackUnderTest stack) {
        this.stack = stack;
        this.jobs = new VerifyJobs(stack, TABLE, PATIENCE);
        this.table = stack.table(TABLE);
    }

    @BeforeEach
    void load() throws Exception {
        List<ObjectNode> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(people.row("row-" + i).put("town", "Redmond"));
        }
        stack.facts().load(TABLE, rows, "").requireOk();
        stack.settle(TABLE);
    }

    @Test
    void aVersionThatTheWriterNeverGaveIsNamedAndMended() throws Exception {
        append(forged(NEVER_GIVEN, people.row(VICTIM).put("town", "Forged")));

        requireNamedAndMended(NEVER_GIVEN.toString());
    }

    @Test
    void theBodyOfAnotherRowIsNamedAndMended() throws Exception {
        String version =
                stack.facts().get(TABLE, VICTIM).requireOk().header("ETag").replace("\"", "");
        RowVersion given = RowVersion.parse(version);
        append(forged(
                new RowVersion(given.epoch(), given.sequence() + 1),
                people.row("row-4").put("town", "Forged")));

        requireNamedAndMended("the row has another key");
    }

    @Test
    void aHeartbeatFromTheFutureIsNotBelieved() throws Exception {
        Instant future = Instant.parse("2099-01-01T00:00:00Z");
        append(codec.encode(new Heartbeat(future, RowVersion.NONE)));

        await().atMost(PATIENCE)
                .pollInterval(STEP)
                .until(() -> stack.indexes().http().get("/health/ready").body().contains("2099-01-01"));
        requireSaneFreshness(TABLE);
        requireSaneFreshness(OTHER_TABLE);
        requireOwnWrite("after-2099");
        stack.settle(TABLE);
    }

    @Test
    void forgedDefinitionsAreNotObeyedAndTrueOnesAre() throws Exception {
        try (RawTopic topic = RawTopic.ofDefinitions(stack.stack().bootstrapServers())) {
            Definitions ours = DefinitionsJson.read(newest(topic));
            List<DesiredTable> bare = ours.tables().stream()
                    .map(DesiredTable::definition)
                    .map(one -> new TableDefinition(one.name(), one.primaryKey(), one.partitions(), List.of()))
                    .map(one -> new DesiredTable(one, List.of()))
                    .toList();
            Definitions forged = new Definitions(900, ours.at(), bare, 900, ours.deployment());
            KeyBytes key = KeyBytes.wrap(DefinitionsTopic.KEY.getBytes(StandardCharsets.UTF_8));
            KeyBytes value = KeyBytes.wrap(DefinitionsJson.write(forged));
            topic.append(List.of(new RawTopic.Placed(
                    0, new WireRecord(key, value, Map.of(DefinitionsTopic.VERSION_HEADER, "900")))));

            requireOwnWrite("after-900");
            createAndDrop("by_change");

            assertThat(DefinitionsJson.read(newest(topic)).version())
                    .as("the writer published over it")
                    .isGreaterThan(ours.version())
                    .isLessThan(900);
        }
        stack.settle(TABLE);
    }

    /**
     * The worker says what it did not believe, and the writer commits the row once more. Until then a comparison may
     * find the index wrong; it never calls equal what is not.
     */
    private void requireNamedAndMended(String named) throws Exception {
        await().atMost(PATIENCE)
                .pollInterval(STEP)
                .untilAsserted(() -> assertThat(stack.child(Role.WORKER).spec().logFile())
                        .content()
                        .contains(named));
        await().atMost(PATIENCE).pollInterval(STEP).until(() -> {
            boolean equal = jobs.run("full", false).path("equal").asBoolean();
            assertThat(equal && found("Forged") > 0).isFalse();
            return equal && quarantined() == 0;
        });
        requireSaneFreshness(OTHER_TABLE);
        JsonNode repaired = jobs.run("full", true);
        assertThat(repaired.path("equal").asBoolean()).as("%s", repaired).isTrue();
        stack.settle(TABLE);
        requireOwnWrite(VICTIM);
        stack.settle(TABLE);
    }

    private int found(String town) throws Exception {
        return stack.indexes()
                .query(TABLE + ".by_town", "town", town)
                .requireOk()
                .json()
                .path("entries")
                .size();
    }

    /** A query that shows the token of a write has the row. */
    private void requireOwnWrite(String key) throws Exception {
        ObjectNode row = people.row(key).put("town", "Mended by " + key);
        String token = stack.facts()
                .put(TABLE, key, row)
                .requireOk()
                .json()
                .path("token")
                .asText();
        JsonNode found = stack.indexes()
                .query(TABLE + ".by_town", "town", "Mended by " + key, "token", token, "wait", "10s")
                .requireOk()
                .json();
        assertThat(found.path("entries")).as("%s", found).hasSize(1);
        assertThat(found.at("/entries/0/row").toString()).isEqualTo(row.toString());
    }

    /** For long enough that the workers ask for the writer's clock meanwhile. */
    private void requireSaneFreshness(String name) {
        await().during(Duration.ofSeconds(3))
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    JsonNode freshness = stack.indexes()
                            .query(name + ".by_town", "limit", "1")
                            .requireOk()
                            .json()
                            .path("freshness");
                    long staleness = freshness.path("stalenessMs").asLong(-1);
                    Instant complete =
                            Instant.parse(freshness.path("completeUpTo").asText());
                    return staleness >= 0
                            && staleness < SANE.toMillis()
                            && complete.isBefore(stack.clock().instant().plus(SANE));
                });
    }

    private void createAndDrop(String index) throws Exception {
        Caller worker = stack.indexes().http();
        Answer created = worker.send(
                "POST",
                "/v1/indexes",
                "{\"table\":\"" + TABLE + "\",\"index\":\"" + index
                        + "\",\"key\":[\"change\"],\"projection\":\"keys_only\"}",
                Map.of("Content-Type", "application/json"));
        assertThat(created.status()).as("%s", created).isEqualTo(202);
        await().atMost(PATIENCE)
                .pollInterval(STEP)
                .until(() -> worker.get("/v1/indexes/" + index + "/entries?limit=" + ROWS)
                                .json()
                                .path("entries")
                                .size()
                        == ROWS);
        worker.send("DELETE", "/v1/indexes/" + index, "", Map.of()).requireOk();
    }

    private WireRecord forged(RowVersion version, ObjectNode body) throws Exception {
        KeyBytes key = table.keyFromJson(TextNode.valueOf(VICTIM));
        return codec.encode(new ChangeEvent.Upserted(
                key, version, stack.clock().instant(), UpsertKind.UPDATE, RowDocument.of(body)));
    }

    private void append(WireRecord record) throws Exception {
        int partition = table.partitionOf(table.keyFromJson(TextNode.valueOf(VICTIM)));
        try (RawTopic topic = new RawTopic(stack.stack().bootstrapServers(), TABLE, table.partitions())) {
            topic.append(List.of(new RawTopic.Placed(partition, record)));
        }
    }

    private static byte[] newest(RawTopic topic) {
        List<RawTopic.Placed> records = topic.readAll();
        KeyBytes value = records.get(records.size() - 1).record().value();
        return value == null ? new byte[0] : value.array();
    }

    private int quarantined() throws Exception {
        int count = 0;
        JsonNode all = stack.indexes().http().get("/v1/quarantine").requireOk().json();
        for (JsonNode record : all.path("records")) {
            count += record.path("table").asText().equals(TABLE) ? 1 : 0;
        }
        return count;
    }
}
