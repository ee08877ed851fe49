package dev.tidemark.deploy.e2e;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.WireRecord;
import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.http.Caller;
import dev.tidemark.deploy.e2e.kafka.RawTopic;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A receipt follows a write on its way, and an explanation says why a row is in an index or not, in every situation.
 */
@ExtendWith(SharedStack.class)
class ReceiptsIT {
    private static final String TABLE = "receipt_people";

    private final StackUnderTest stack;

    ReceiptsIT(StackUnderTest stack) {
        this.stack = stack;
    }

    @Test
    void goesFromPendingToVisibleWhileTheWorkerIsPausedAndResumed() throws Exception {
        stack.indexes()
                .http()
                .send("POST", "/v1/tables/" + TABLE + "/pause", "", Map.of())
                .requireOk();
        String token = put("paused", "Bergen");
        try {
            JsonNode pending = receipt(token, "300ms");
            assertThat(pending.path("decided").asBoolean()).isFalse();
            assertThat(statuses(pending)).containsOnly("pending");
            assertThat(pending.at("/indexes/0/changesBefore").isIntegralNumber())
                    .isTrue();
            JsonNode explained = explain("by_town", "paused");
            assertThat(explained.path("outcome").asText()).isEqualTo("not_applied");
            assertThat(explained.at("/pending/version").asText())
                    .isEqualTo(pending.path("version").asText());
            assertThat(explained.path("reason").asText()).contains("then the index holds it with 1 entry");
        } finally {
            stack.indexes()
                    .http()
                    .send("POST", "/v1/tables/" + TABLE + "/resume", "", Map.of())
                    .requireOk();
        }
        requireVisible("paused", receipt(token, "20s"));
    }

    @Test
    void waitsForTheWriteWhileTheWorkerIsSuspendedAndContinued() throws Exception {
        stack.child(Role.WORKER).suspend();
        CompletableFuture<JsonNode> asked;
        try {
            String token = put("suspended", "Bergen");
            asked = CompletableFuture.supplyAsync(() -> {
                try {
                    return receipt(token, "20s");
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        } finally {
            stack.child(Role.WORKER).resume();
        }
        requireVisible("suspended", asked.get(60, TimeUnit.SECONDS));
    }

    @Test
    void saysThatANewerVersionTookThePlaceOfTheWrite() throws Exception {
        String first = put("mover", "Bergen");
        String second = put("mover", "Oslo");
        JsonNode newer = receipt(second, "20s");
        JsonNode older = receipt(first, "20s").at("/indexes/0");
        assertThat(older.path("status").asText()).isEqualTo("superseded");
        assertThat(older.path("by").asText()).isEqualTo(newer.path("version").asText());
        assertThat(older.path("now").asText()).isEqualTo("visible");

        String delete = token(stack.facts().delete(TABLE, "mover"));
        assertThat(receipt(delete, "20s").path("operation").asText()).isEqualTo("delete");
        assertThat(statuses(receipt(delete, "0s"))).containsOnly("visible");
        assertThat(receipt(second, "0s").at("/indexes/0/now").asText()).isEqualTo("deleted");
        JsonNode explained = explain("by_town", "mover");
        assertThat(explained.path("outcome").asText()).isEqualTo("deleted");
        assertThat(explained.path("version").asText())
                .isEqualTo(receipt(delete, "0s").path("version").asText());
    }

    @Test
    void saysWhatPutARowIntoQuarantineUntilItIsHealed() throws Exception {
        String token = put("victim", "Bergen");
        receipt(token, "20s");
        // The writer would commit the row once more, because somebody wrote over it.
        stack.child(Role.WRITER).suspend();
        try {
            append("victim", "garbage{");
            await().atMost(40, TimeUnit.SECONDS)
                    .untilAsserted(
                            () -> assertThat(statuses(receipt(token, "0s"))).containsOnly("quarantined"));
            assertThat(receipt(token, "0s").at("/indexes/0/reason").asText()).isNotBlank();
            JsonNode explained = explain("by_town", "victim");
            assertThat(explained.path("outcome").asText()).isEqualTo("quarantined");
            assertThat(explained.path("reason").asText()).contains("in quarantine");
            assertThat(explained.path("entries")).isEmpty();
        } finally {
            stack.resumeWriter();
        }

        await().atMost(20, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(statuses(receipt(token, "0s"))).containsOnly("superseded"));
        requireVisible("victim", receipt(put("victim", "Bergen"), "20s"));
    }

    @Test
    void explainsWithoutTheWriterWhatTheWorkerKnows() throws Exception {
        receipt(put("known", "Bergen"), "20s");
        stack.child(Role.WRITER).suspend();
        try {
            JsonNode known = explain("by_town", "known");
            assertThat(known.path("outcome").asText()).isEqualTo("in_index");
            assertThat(known.at("/factTable/reachable").asBoolean(true)).isFalse();
            assertThat(explain("by_town", "unheard-of").path("outcome").asText())
                    .isEqualTo("not_known");
        } finally {
            stack.resumeWriter();
        }
        assertThat(explain("by_town", "unheard-of").path("outcome").asText()).isEqualTo("no_such_row");
    }

    @Test
    void tellsOfABulkLoadByPartition() throws Exception {
        List<ObjectNode> rows =
                IntStream.range(0, 60).mapToObj(i -> row("bulk-" + i, "Bodø")).toList();
        String token = token(stack.facts().load(TABLE, rows, ""));
        JsonNode receipt = receipt(token, "20s");
        assertThat(receipt.path("decided").asBoolean()).isTrue();
        assertThat(receipt.path("partitions"))
                .hasSize(stack.table(TABLE).partitions())
                .allSatisfy(share -> assertThat(share.path("status").asText()).isEqualTo("visible"));
        assertThat(stack.indexes()
                        .query(TABLE + ".by_town", "town", "Bodø", "limit", "100")
                        .requireOk()
                        .json()
                        .path("entries"))
                .hasSize(60);
    }

    @Test
    void findsARowByACompositeKey() throws Exception {
        ObjectNode city = RowJson.mapper().createObjectNode();
        city.put("country", "NO, north").put("name", "7").put("mayor", "M");
        String key = "NO%2C%20north,%227%22";
        Answer put = stack.facts()
                .http()
                .send(
                        "PUT",
                        "/v1/tables/cities/rows/" + key,
                        city.toString(),
                        Map.of("Content-Type", "application/json"));
        receipt(token(put), "20s");
        JsonNode explained = get("/v1/indexes/cities.by_mayor/explain?key=" + key);
        assertThat(explained.path("outcome").asText()).isEqualTo("in_index");
        assertThat(explained.at("/primaryKey/1").asText()).isEqualTo("7");
        assertThat(get("/v1/indexes/cities.by_population/explain?key=" + key)
                        .path("field")
                        .asText())
                .isEqualTo("population");
        stack.facts()
                .http()
                .send("DELETE", "/v1/tables/cities/rows/" + key, "", Map.of())
                .requireOk();
    }

    /** The row has a town and nothing else that an index asks for, and is not active. */
    private void requireVisible(String key, JsonNode receipt) throws Exception {
        assertThat(receipt.path("decided").asBoolean()).isTrue();
        assertThat(statuses(receipt))
                .containsExactly("visible", "not_applicable", "not_applicable", "not_applicable", "visible");
        assertThat(receipt.at("/indexes/2/reason").asText()).isEqualTo("where requires active eq true");
        assertThat(receipt.at("/indexes/3/reason").asText()).isEqualTo("key field address.city has no value");
        assertThat(Instant.parse(receipt.at("/indexes/0/visibleSince").asText()))
                .isAfterOrEqualTo(Instant.parse(receipt.path("committedAt").asText()))
                .isBefore(stack.clock().instant().plusSeconds(1));
        JsonNode found = stack.indexes()
                .query(TABLE + ".by_town", "town", "Bergen", "limit", "1000")
                .requireOk()
                .json()
                .path("entries");
        assertThat(found.findValuesAsText("primaryKey")).contains(key);
        JsonNode explained = explain("by_town", key);
        assertThat(explained.path("outcome").asText()).isEqualTo("in_index");
        assertThat(explained.at("/entries/0/key/town").asText()).isEqualTo("Bergen");
        assertThat(explained.path("version").asText())
                .isEqualTo(receipt.path("version").asText());
        assertThat(explain("active_by_score", key).path("reason").asText())
                .isEqualTo("the row has no entry: where requires active eq true, but active is false");
        JsonNode without = explain("by_city_town", key);
        assertThat(without.path("outcome").asText()).isEqualTo("no_value");
        assertThat(without.path("field").asText()).isEqualTo("address.city");
    }

    private void append(String victim, String value) throws Exception {
        TableDefinition table = stack.table(TABLE);
        KeyBytes key = table.keyFromJson(TextNode.valueOf(victim));
        KeyBytes garbage = KeyBytes.wrap(value.getBytes(StandardCharsets.UTF_8));
        try (RawTopic topic = new RawTopic(stack.stack().bootstrapServers(), TABLE, table.partitions())) {
            topic.append(List.of(new RawTopic.Placed(table.partitionOf(key), new WireRecord(key, garbage, Map.of()))));
        }
    }

    private String put(String key, String town) throws Exception {
        return token(stack.facts().put(TABLE, key, row(key, town)));
    }

    private static ObjectNode row(String key, String town) {
        return RowJson.mapper()
                .createObjectNode()
                .put("personId", key)
                .put("name", "Kari")
                .put("town", town)
                .put("score", 3)
                .put("active", false);
    }

    private static String token(Answer answer) {
        return answer.requireOk().json().path("token").asText();
    }

    private static List<String> statuses(JsonNode receipt) {
        return receipt.path("indexes").findValuesAsText("status");
    }

    private JsonNode receipt(String token, String wait) throws Exception {
        return get("/v1/receipts/" + token + "?wait=" + wait);
    }

    private JsonNode explain(String index, String key) throws Exception {
        return get("/v1/indexes/" + TABLE + "." + index + "/explain?key=" + Caller.encode(key));
    }

    private JsonNode get(String path) throws Exception {
        return stack.indexes().http().get(path).requireOk().json();
    }
}
