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
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.awaitility.core.ConditionTimeoutException;

import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.deploy.e2e.guarantee.IndexesEqualFacts;
import dev.tidemark.deploy.e2e.guarantee.LagReachesZero;
import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.load.PacedLoad;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.row.RowJson;
import dev.tidemark.settings.CatalogFile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** One table whose indexes come, change and go while the stack runs, and what must hold of them. */
final class BuiltIndexes {
    static final String TABLE = "people";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
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
        load(rows, rows);
    }

    /** The same, in pieces. */
    void load(int rows, int atOnce) throws IOException, InterruptedException {
        List<ObjectNode> piece = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            piece.add(row(i, i));
            if (piece.size() == atOnce || i == rows - 1) {
                stack.facts().load(TABLE, piece, "").requireOk();
                piece.clear();
            }
        }
    }

    /** Changes the rows of {@link #load} so often a second. */
    PacedLoad change(int rows, int perSecond, long seed) {
        Random random = new Random(seed);
        PacedLoad.Rows changing = new PacedLoad.Rows(rows, i -> row(i, random.nextInt(rows)), "personId");
        return PacedLoad.start(TABLE, stack.facts(), changing, perSecond, seed);
    }

    private static ObjectNode row(int id, int variant) {
        ObjectNode row = RowJson.mapper().createObjectNode();
        row.put("personId", "early-" + id).put("name", "N" + variant % 97).put("town", "T" + variant % 13);
        row.put("score", variant % 1_000).putArray("tags").add("t" + variant % 7);
        return row;
    }

    /** Brings a catalog in force, whatever is now; the answer. */
    JsonNode bringInForce(String catalog) throws IOException, InterruptedException {
        String version = stack.facts()
                .http()
                .get("/v1/catalog")
                .requireOk()
                .json()
                .path("version")
                .asText();
        return stack.facts()
                .http()
                .send(
                        "PUT",
                        "/v1/catalog",
                        catalog,
                        Map.of("Content-Type", "application/yaml", "If-Match", "\"" + version + "\""))
                .requireOk()
                .json();
    }

    /** What the worker says of one index. */
    JsonNode describe(String index) throws IOException, InterruptedException {
        return stack.indexes().http().get("/v1/indexes/" + index).requireOk().json();
    }

    /** The same; nothing while the worker does not know the index yet, or does not answer. */
    JsonNode describeOrNothing(String index) {
        try {
            Answer answer = stack.indexes().http().get("/v1/indexes/" + index);
            return answer.ok() ? answer.json() : MissingNode.getInstance();
        } catch (IOException e) {
            return MissingNode.getInstance();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Waits until an index is ready in the newest of its generations; its description. */
    JsonNode awaitReady(String index) {
        return awaitState(index, "ready");
    }

    /** Waits until an index is in a state of its life in the newest of its generations; its description. */
    JsonNode awaitState(String index, String state) {
        return awaitIndex(
                index, state, told -> told.path("life").path("state").asText().equals(state));
    }

    /** Waits until the description of an index is as wanted, which the words say; its description. */
    JsonNode awaitIndex(String index, String words, Predicate<JsonNode> wanted) {
        AtomicReference<String> last = new AtomicReference<>("nothing was asked yet");
        AtomicReference<JsonNode> ready = new AtomicReference<>();
        try {
            await().atMost(PATIENCE).pollInterval(STEP).until(() -> {
                Answer answer = stack.indexes().http().get("/v1/indexes/" + index);
                last.set(answer.toString());
                ready.set(answer.json());
                return answer.ok() && wanted.test(answer.json());
            });
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("index " + index + " does not become " + words + ": " + last.get(), e);
        }
        return Objects.requireNonNull(ready.get());
    }

    /** Lag gets to zero. */
    void awaitLagZero() throws Exception {
        var table = CatalogFile.read(catalogFile()).table(TABLE).orElseThrow();
        new LagReachesZero(stack.indexes(), stack.clock()).check(table);
    }

    /** Lag gets to zero, and then every index of a catalog equals its rows. */
    void checkEqual(String catalog) throws Exception {
        var table = CatalogReader.read("the test", catalog).table(TABLE).orElseThrow();
        new LagReachesZero(stack.indexes(), stack.clock()).check(table);
        new IndexesEqualFacts(stack.facts(), stack.indexes()).check(table);
    }

    /**
     * Asks the index by town for rows of {@link #load}, which it must answer from one definition: all entries carry the
     * same fields.
     */
    Set<String> fieldsOfAnAnswer() throws IOException, InterruptedException {
        Set<Set<String>> kinds = kindsOf(ask().requireOk());
        assertThat(kinds).as("an answer is from one generation").hasSize(1);
        return kinds.iterator().next();
    }

    /** The question of {@link #fieldsOfAnAnswer}, whatever becomes of it. */
    Answer ask() throws IOException, InterruptedException {
        return stack.indexes().query("by_town", "town", "T1", "limit", "200");
    }

    /** The sets of fields that the entries of an answer carry. */
    static Set<Set<String>> kindsOf(Answer answer) {
        Set<Set<String>> kinds = new HashSet<>();
        for (JsonNode entry : answer.json().path("entries")) {
            Set<String> fields = new HashSet<>();
            entry.path("row").fieldNames().forEachRemaining(fields::add);
            kinds.add(fields);
        }
        return kinds;
    }
}
