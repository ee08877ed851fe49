package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.awaitility.core.ConditionTimeoutException;

import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.deploy.e2e.guarantee.IndexesEqualFacts;
import dev.tidemark.deploy.e2e.guarantee.LagReachesZero;
import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** One table whose indexes come, change and go while the stack runs, and what must hold of them. */
final class BuiltIndexes {
    static final String TABLE = "people";
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final Duration STEP = Duration.ofMillis(50);

    private final StackUnderTest stack;

    BuiltIndexes(StackUnderTest stack) {
        this.stack = stack;
    }

    /** The catalog to start with. */
    static Path catalogFile() {
        return StackUnderTest.resource("/e2e/built.yaml");
    }

    static String catalogText() throws IOException {
        return Files.readString(catalogFile());
    }

    /** Loads so many rows that all have the same fields. */
    void load(int rows) throws IOException, InterruptedException {
        List<ObjectNode> all = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            ObjectNode row = RowJson.mapper().createObjectNode();
            row.put("personId", "early-" + i).put("name", "N" + i % 97).put("town", "T" + i % 13);
            row.put("score", i % 1_000).putArray("tags").add("t" + i % 7);
            all.add(row);
        }
        stack.facts().load(TABLE, all, "").requireOk();
    }

    /** Brings a catalog in force, whatever is now. */
    void bringInForce(String catalog) throws IOException, InterruptedException {
        String version = stack.facts()
                .http()
                .get("/v1/catalog")
                .requireOk()
                .json()
                .path("version")
                .asText();
        stack.facts()
                .http()
                .send(
                        "PUT",
                        "/v1/catalog",
                        catalog,
                        Map.of("Content-Type", "application/yaml", "If-Match", "\"" + version + "\""))
                .requireOk();
    }

    /** Waits until an index is ready in the newest of its generations; its description. */
    JsonNode awaitReady(String index) {
        AtomicReference<String> last = new AtomicReference<>("nothing was asked yet");
        AtomicReference<JsonNode> ready = new AtomicReference<>();
        try {
            await().atMost(PATIENCE).pollInterval(STEP).until(() -> {
                Answer answer = stack.indexes().http().get("/v1/indexes/" + index);
                last.set(answer.toString());
                ready.set(answer.json());
                return answer.ok()
                        && answer.json().path("life").path("state").asText().equals("ready");
            });
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("index " + index + " does not become ready: " + last.get(), e);
        }
        return Objects.requireNonNull(ready.get());
    }

    /** Lag gets to zero, and then every index of a catalog equals its rows. */
    void checkEqual(String catalog) throws Exception {
        var table = CatalogReader.read("the test", catalog).table(TABLE).orElseThrow();
        new LagReachesZero(stack.indexes(), stack.clock()).check(table);
        new IndexesEqualFacts(stack.facts(), stack.indexes()).check(table);
    }

    /**
     * Asks the index by town for rows of {@link #load}, which it must answer from one definition: all entries carry the same
     * fields.
     */
    Set<String> fieldsOfAnAnswer() throws IOException, InterruptedException {
        List<Set<String>> kinds = new ArrayList<>();
        for (JsonNode entry : stack.indexes()
                .query("by_town", "town", "T1", "limit", "200")
                .requireOk()
                .json()
                .path("entries")) {
            Set<String> fields = new HashSet<>();
            entry.path("row").fieldNames().forEachRemaining(fields::add);
            kinds.add(fields);
        }
        assertThat(kinds).as("an answer is from one generation").allMatch(kinds.get(0)::equals);
        return kinds.get(0);
    }
}
