package dev.tidemark.deploy.e2e;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** An index is wanted that rows of the table do not fit into: everybody who asks is told, and which rows they are. */
@Execution(ExecutionMode.CONCURRENT)
class RefusedRowsIT {
    private static final int ROWS = 200;
    private static final int TOO_LONG = 20_000;
    private static final String BY_TITLE = "      by_title: { key: [title], projection: keys_only }\n";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration STEP = Duration.ofMillis(20);

    @Test
    void theRehearsalAndTheBuildNameTheRowsAndWritesThatFitHealTheIndex() throws Exception {
        try (StackUnderTest stack =
                StackUnderTest.start("refused-rows", settings -> settings.withCatalog(BuiltIndexes.catalogFile()))) {
            BuiltIndexes built = new BuiltIndexes(stack);
            built.load(ROWS);
            putTitle(stack, "long-1", "x".repeat(TOO_LONG));
            putTitle(stack, "long-2", "x".repeat(TOO_LONG));
            putTitle(stack, "fits", "Short");
            built.awaitLagZero();
            String wanted = BuiltIndexes.catalogText() + BY_TITLE;

            JsonNode forecast = rehearsed(stack, wanted)
                    .path("tables")
                    .path(0)
                    .path("indexes")
                    .path(0);
            assertThat(forecast.path("refused").asInt()).as("%s", forecast).isEqualTo(2);
            assertThat(rows(forecast.path("refusedRows"))).containsExactlyInAnyOrder("long-1", "long-2");

            built.bringInForce(wanted);
            // Degraded from the first row on; the other may be in a shard that is still being built.
            JsonNode degraded = built.awaitIndex(
                    "by_title",
                    "degraded by two rows",
                    told -> told.path("refused").asInt() == 2
                            && told.path("life").path("state").asText().equals("degraded"));
            assertThat(degraded.path("state").asText()).isEqualTo("degraded");
            assertThat(degraded.path("refused").asInt()).isEqualTo(2);
            assertThat(rows(degraded.path("refusedRows"))).containsExactlyInAnyOrder("long-1", "long-2");
            Answer early = stack.indexes().query("by_title", "title", "Short");
            assertThat(early.status()).as("%s", early).isEqualTo(425);
            assertThat(early.json().path("state").asText()).isEqualTo("degraded");
            assertThat(early.json().path("detail").asText()).contains("2 rows");

            putTitle(stack, "long-1", "Shorter");
            stack.facts().delete(BuiltIndexes.TABLE, "long-2").requireOk();
            JsonNode healed = built.awaitState("by_title", "ready");
            assertThat(healed.path("refused").asInt()).isZero();
            assertThat(healed.path("refusedRows")).isEmpty();
            built.checkEqual(wanted);
        }
    }

    private static void putTitle(StackUnderTest stack, String key, String title) throws Exception {
        ObjectNode row =
                RowJson.mapper().createObjectNode().put("personId", key).put("title", title);
        stack.facts().put(BuiltIndexes.TABLE, key, row).requireOk();
    }

    private static JsonNode rehearsed(StackUnderTest stack, String catalog) throws Exception {
        Answer asked = stack.indexes()
                .http()
                .send("POST", "/v1/plan?sample=100", catalog, Map.of("Content-Type", "application/yaml"));
        assertThat(asked.status()).as("%s", asked).isEqualTo(202);
        String path = "/v1/plan/" + asked.json().path("id").asText();
        JsonNode[] told = new JsonNode[1];
        await().atMost(PATIENCE).pollInterval(STEP).until(() -> {
            told[0] = stack.indexes().http().get(path).requireOk().json();
            return told[0].path("state").asText().equals("done");
        });
        return told[0];
    }

    private static List<String> rows(JsonNode refused) {
        List<String> keys = new ArrayList<>();
        refused.forEach(row -> {
            assertThat(row.path("reason").asText()).contains("by_title");
            keys.add(row.path("primaryKey").asText());
        });
        return keys;
    }
}
