package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.load.SteadyLoad;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.stack.Role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** An index is created, changed in place, dropped and made again under its old name, while writes go on. */
@Execution(ExecutionMode.CONCURRENT)
class BuildIT {
    private static final int ROWS = 4_000;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Set<String> NAME_ONLY = Set.of("name");

    @Test
    void anIndexIsCreatedChangedAndMadeAgainUnderLoad() throws Exception {
        try (StackUnderTest stack = StackUnderTest.start(
                "build",
                settings -> settings.withCatalog(BuiltIndexes.catalogFile())
                        .with(Role.WORKER, "build.rows.per.second", "4000"))) {
            BuiltIndexes built = new BuiltIndexes(stack);
            built.load(ROWS);
            built.checkEqual(BuiltIndexes.catalogText());
            String after = BuiltIndexes.catalogText().replace("projection: all", "projection: [name]")
                    + "      by_score: { key: [score, name], projection: [town] }\n";
            try (SteadyLoad load = SteadyLoad.start(BuiltIndexes.TABLE, stack.facts(), 3)) {
                createsAnIndex(stack, built, "keys_only");
                changesOneInPlace(built, after.replaceAll("(by_score.*)\\[town\\]", "$1keys_only"));
                stack.indexes()
                        .http()
                        .send("DELETE", "/v1/indexes/by_score", "", Map.of())
                        .requireOk();
                createsAnIndex(stack, built, "[\"town\"]");
                load.stop();
            }
            built.checkEqual(after);
        }
    }

    private static void createsAnIndex(StackUnderTest stack, BuiltIndexes built, String projection) throws Exception {
        String quoted = projection.startsWith("[") ? projection : "\"" + projection + "\"";
        Answer created = stack.indexes()
                .http()
                .send(
                        "POST",
                        "/v1/indexes",
                        "{\"table\":\"people\",\"index\":\"by_score\",\"key\":[\"score\",\"name\"],\"projection\":"
                                + quoted + "}",
                        Map.of("Content-Type", "application/json"));
        assertThat(created.status()).as("%s", created).isEqualTo(202);
        isToldToComeBack(stack);
        JsonNode ready = built.awaitReady("by_score");
        assertThat(ready.path("refused").asInt()).isZero();
    }

    private static void isToldToComeBack(StackUnderTest stack) {
        AtomicReference<Answer> answer = new AtomicReference<>();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(10)).until(() -> {
            Answer now = stack.indexes().query("by_score", "limit", "1");
            answer.set(now);
            // Until the definition has come to the worker, there is no such index, or the one that was dropped.
            return now.status() == 425;
        });
        Answer told = Objects.requireNonNull(answer.get());
        JsonNode problem = told.json();
        assertThat(told.header("Retry-After")).isNotEmpty();
        assertThat(problem.path("detail").asText()).contains("by_score").contains("rows");
        assertThat(problem.path("progress").path("rowsTotal").asInt()).isGreaterThanOrEqualTo(ROWS / 2);
    }

    private static void changesOneInPlace(BuiltIndexes built, String catalog) throws IOException, InterruptedException {
        assertThat(built.fieldsOfAnAnswer()).contains("personId", "town");
        built.bringInForce(catalog);
        List<Set<String>> seen = new ArrayList<>();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(10)).until(() -> {
            seen.add(built.fieldsOfAnAnswer());
            return seen.get(seen.size() - 1).equals(NAME_ONLY);
        });
        assertThat(seen.get(0))
                .as("the old one answers until the new one is ready")
                .contains("personId");
        built.awaitReady("by_town");
    }
}
