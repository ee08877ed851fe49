package dev.tidemark.deploy.e2e;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.WireRecord;
import dev.tidemark.deploy.e2e.kafka.RawTopic;
import dev.tidemark.deploy.e2e.load.People;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.key.KeyBytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A record that nobody can read costs its own row for a while, says so, and nothing else. */
@ExtendWith(SharedStack.class)
class PoisonIT {
    private static final String TABLE = "poisoned_people";
    private static final String VICTIM = "row-3";
    private static final int ROWS = 30;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final StackUnderTest stack;
    private final People people = new People(new Random(10));

    PoisonIT(StackUnderTest stack) {
        this.stack = stack;
    }

    @Test
    void garbageIsQuarantinedAndHealedByTheNextGoodWriteOfItsRow() throws Exception {
        putAll();
        stack.settle(TABLE);
        double before = quarantined();

        append("garbage{");

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(state()).isEqualTo("degraded"));
        assertThat(quarantined()).isEqualTo(before + 1);
        assertThat(stack.indexes().metrics().sum("tidemark_index_state", "table", TABLE, "state", "degraded"))
                .isEqualTo(stack.table(TABLE).indexes().size());
        requireListed();
        requireTheRestGoesOn();

        stack.facts().put(TABLE, VICTIM, people.row(VICTIM)).requireOk();

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(state()).isEqualTo("steady"));
        stack.settle(TABLE);
        assertThat(listed()).isEmpty();
    }

    private void requireListed() throws Exception {
        JsonNode records = listed();
        assertThat(records).hasSize(1);
        assertThat(records.get(0).path("key").asText()).isEqualTo(VICTIM);
        assertThat(records.get(0).path("reason").asText()).isNotBlank();
        assertThat(records.get(0).path("value").asText()).contains("garbage{");
    }

    /** Other rows of every partition, the victim's too, are found as soon as they are written. */
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

    private void append(String value) throws Exception {
        TableDefinition table = stack.table(TABLE);
        KeyBytes key = table.keyFromJson(TextNode.valueOf(VICTIM));
        KeyBytes garbage = KeyBytes.wrap(value.getBytes(StandardCharsets.UTF_8));
        try (RawTopic topic = new RawTopic(stack.stack().bootstrapServers(), TABLE, table.partitions())) {
            topic.append(List.of(new RawTopic.Placed(table.partitionOf(key), new WireRecord(key, garbage, Map.of()))));
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
