package dev.tidemark.deploy.e2e;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.WireRecord;
import dev.tidemark.deploy.e2e.http.Caller;
import dev.tidemark.deploy.e2e.kafka.RawTopic;
import dev.tidemark.deploy.e2e.load.People;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A record that nobody can read costs its own row for a while, says so, and nothing else. */
@ExtendWith(SharedStack.class)
@TakesTurns(turn = 4, of = 6)
class PoisonIT {
    private static final String TABLE = "poisoned_people";
    private static final String VICTIM = "row-3";
    private static final String GARBAGE = "garbage{";
    private static final int ROWS = 30;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final StackUnderTest stack;
    private final People people = new People(new Random(10));

    PoisonIT(StackUnderTest stack) {
        this.stack = stack;
    }

    @Test
    void garbageUnderTheKeyOfARowIsHealedByTheWriter() throws Exception {
        putAll();
        stack.settle(TABLE);
        double before = quarantined();

        append(key(VICTIM), Map.of());

        // A worker that reads a part of the topic again counts again.
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(quarantined()).isGreaterThan(before));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(state()).isEqualTo("steady"));
        stack.settle(TABLE);
        assertThat(listed()).isEmpty();
    }

    @Test
    void garbageUnderKeysThatNoRowHasIsListedAndIsHealedByAGoodWriteOrDismissedForGood() throws Exception {
        putAll();
        stack.settle(TABLE);
        append(key("written-later"), Map.of());
        append(key("no-row"), Map.of());
        append(KeyBytes.wrap("no key".getBytes(StandardCharsets.UTF_8)), Map.of());
        append(key("no-version"), Map.of(ChangeCodec.ID, new RowVersion(1, 999_999_999).toString()));
        await().atMost(PATIENCE).untilAsserted(this::requireListed);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(state()).isEqualTo("degraded"));
        assertThat(stack.indexes().metrics().sum("tidemark_index_state", "table", TABLE, "state", "degraded"))
                .isEqualTo(stack.table(TABLE).indexes().size());
        requireTheRestGoesOn();

        stack.facts().put(TABLE, "written-later", people.row("written-later")).requireOk();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(listed()).hasSize(3));
        for (JsonNode record : listed()) {
            dismiss(record);
        }

        requireWell();
        buildAgain();
        // A shard that has read the forged version goes back once it knows which ones the writer gave.
        await().atMost(PATIENCE).untilAsserted(() -> stack.settle(TABLE));
        requireWell();
    }

    private void requireListed() throws Exception {
        Map<String, String> reasons = new HashMap<>();
        for (JsonNode record : listed()) {
            assertThat(record.path("value").asText()).isEqualTo(GARBAGE);
            reasons.put(record.path("key").asText(), record.path("reason").asText());
        }
        assertThat(reasons).containsOnlyKeys("written-later", "no-row", "0x6e6f206b6579", "no-version");
        assertThat(reasons.get("no-row")).isNotBlank();
        assertThat(reasons.get("no-version")).contains("expected a version that the writer has given");
    }

    private void requireWell() {
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(listed()).isEmpty();
            assertThat(state()).isEqualTo("steady");
        });
    }

    /** Other rows of every partition are found as soon as they are written. */
    private void requireTheRestGoesOn() throws Exception {
        String index = TABLE + ".named_elsewhere";
        for (int i = 0; i < ROWS; i++) {
            String key = "later-" + i;
            String token = stack.facts()
                    .put(
                            TABLE,
                            key,
                            people.row(key)
                                    .put("name", "Later")
                                    .put("town", "T")
                                    .put("score", 1))
                    .requireOk()
                    .json()
                    .path("token")
                    .asText();
            JsonNode found = stack.indexes()
                    .query(index, "name", "Later", "token", token, "wait", "10s")
                    .requireOk()
                    .json();
            assertThat(found.path("entries")).hasSize(i + 1);
            assertThat(found.path("freshness").path("state").asText()).isEqualTo("degraded");
        }
    }

    /** By partition and key, as the list shows them. */
    private void dismiss(JsonNode record) throws Exception {
        String path = "/v1/tables/" + TABLE + "/quarantine/"
                + record.path("partition").asInt() + "/"
                + Caller.encode(record.path("key").asText());
        // Not while the writer looks at what others have put into the topic.
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(stack.facts().http().send("DELETE", path, "", Map.of()))
                        .matches(answer -> answer.status() == 202));
    }

    private void buildAgain() throws Exception {
        stack.terminate(Role.WORKER);
        for (int partition = 0; partition < stack.table(TABLE).partitions(); partition++) {
            StackUnderTest.deleteTree(
                    stack.dataOf(Role.WORKER).resolve("shards").resolve(TABLE + "-" + partition));
        }
        stack.startAgain(Role.WORKER);
    }

    private KeyBytes key(String key) throws Exception {
        return stack.table(TABLE).keyFromJson(TextNode.valueOf(key));
    }

    private void append(KeyBytes key, Map<String, String> headers) throws Exception {
        TableDefinition table = stack.table(TABLE);
        KeyBytes garbage = KeyBytes.wrap(GARBAGE.getBytes(StandardCharsets.UTF_8));
        try (RawTopic topic = new RawTopic(stack.stack().bootstrapServers(), TABLE, table.partitions())) {
            topic.append(List.of(new RawTopic.Placed(table.partitionOf(key), new WireRecord(key, garbage, headers))));
        }
    }

    private void putAll() throws Exception {
        for (int i = 0; i < ROWS; i++) {
            stack.facts().put(TABLE, "row-" + i, people.row("row-" + i)).requireOk();
        }
    }

    private JsonNode listed() throws Exception {
        JsonNode all = stack.indexes().http().get("/v1/quarantine").requireOk().json();
        JsonNode records = all.path("records").deepCopy();
        records.forEach(record -> assertThat(record.path("table").asText()).isEqualTo(TABLE));
        return records;
    }

    private double quarantined() throws Exception {
        return stack.indexes().metrics().sum("tidemark_events_applied_total", "table", TABLE, "result", "quarantined");
    }

    private String state() throws Exception {
        return stack.indexes().describe(TABLE, "by_town").path("state").asText();
    }
}
