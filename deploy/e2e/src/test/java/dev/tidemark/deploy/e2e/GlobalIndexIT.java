package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.e2e.guarantee.LagNeverUnderReported;
import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.http.Indexes;
import dev.tidemark.deploy.e2e.load.SteadyLoad;
import dev.tidemark.deploy.e2e.running.AppliedCatalog;
import dev.tidemark.deploy.e2e.running.CommandStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.probe.Source;
import dev.tidemark.deploy.stack.FactsPlace;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.writer.database.FactsSettings;
import dev.tidemark.writer.postgres.TestServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Indexes that are partitioned by their own keys: built, changed and killed while rows are written. */
@Execution(ExecutionMode.CONCURRENT)
class GlobalIndexIT {
    private static final String TABLE = "people";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long LEAST_JUDGED = 10;
    private static final Path CATALOG = StackUnderTest.resource("/e2e/kills.yaml");

    @TempDir
    private Path directory = Path.of("");

    @Test
    void localIndexesBecomeGlobalAndOutliveKillsWhileRowsAreWritten() throws Exception {
        Path global = global();
        try (StackUnderTest stack = StackUnderTest.start("global", settings -> settings.withCatalog(CATALOG))) {
            try (SteadyLoad load = SteadyLoad.start(TABLE, stack.facts(), 21)) {
                BoundedWait.rest(Duration.ofSeconds(1));
                AppliedCatalog.apply(stack, global, directory.resolve("output"), "--wait", "--wait-time", "100s");
                requireOnePartitionAnswers(stack.indexes());
                try (LagNeverUnderReported watch = LagNeverUnderReported.watch(
                        "a global index",
                        stack.stack().writerUrl(),
                        stack.stack().workerUrl())) {
                    for (Role role : List.of(Role.WORKER, Role.WRITER)) {
                        stack.kill(role);
                        stack.startAgain(role);
                        BoundedWait.rest(Duration.ofSeconds(1));
                    }
                    watch.awaitJudged(LEAST_JUDGED, Source.values());
                    watch.check(LEAST_JUDGED);
                }
                load.stop();
            }
            requireRight(stack, global);
        }
    }

    @Test
    @TakesTurns(turn = 2, of = 6)
    void aWriterOnPostgresqlThatIsKilledMeanwhileGoesOn() throws Exception {
        FactsSettings database = TestServer.of(TestServer.Version.DEBIAN_15).database();
        FactsPlace facts = FactsPlace.at(database.url(), database.user().orElseThrow(), database.passwordFile());
        Path global = global();
        try (StackUnderTest stack = StackUnderTest.start(
                "global-postgresql", settings -> settings.withCatalog(CATALOG).withFacts(facts))) {
            try (SteadyLoad load = SteadyLoad.start(TABLE, stack.facts(), 21)) {
                BoundedWait.rest(Duration.ofSeconds(1));
                AppliedCatalog.apply(stack, global, directory.resolve("output"));
                stack.kill(Role.WRITER);
                stack.startAgain(Role.WRITER);
                await().atMost(PATIENCE)
                        .ignoreExceptions()
                        .untilAsserted(() -> requireOnePartitionAnswers(stack.indexes()));
                load.stop();
            }
            requireRight(stack, global);
        }
    }

    @Test
    @TakesTurns(turn = 5, of = 6)
    void anyWorkerAnswersForThePartitionOfAnother() throws Exception {
        try (CommandStack stack = CommandStack.start("global-workers", global(), "--workers", "2")) {
            for (int id = 0; id < 40; id++) {
                stack.facts()
                        .put(TABLE, Integer.toString(id), person(id, "Town " + id % 10))
                        .requireOk();
            }
            for (URI worker : stack.endpoints().workers()) {
                Indexes indexes = new Indexes(worker);
                await().atMost(PATIENCE)
                        .ignoreExceptions()
                        .untilAsserted(
                                () -> assertThat(indexes.entries("by_town")).hasSize(40));
                for (int town = 0; town < 10; town++) {
                    Answer answer =
                            indexes.query("by_town", "town", "Town " + town).requireOk();
                    assertThat(answer.json().path("entries")).as("%s", answer).hasSize(4);
                }
            }
        }
    }

    private Path global() throws IOException {
        String local = Files.readString(CATALOG);
        return Files.writeString(
                directory.resolve("global.yaml"),
                local.replaceAll("(?m)^( +by_(town|id): .*) }$", "$1, scope: global, partitions: 5 }")
                        .replaceAll("(?m)^( +by_tag: .*) }$", "$1, scope: global, partitions: 5, salt: 3 }"));
    }

    private static void requireOnePartitionAnswers(Indexes indexes) throws Exception {
        JsonNode index = indexes.describe(TABLE, "by_town");
        assertThat(index.path("partitions").asInt()).as("%s", index).isEqualTo(5);
        assertThat(index.path("life").path("state").asText()).isEqualTo("ready");
        JsonNode one = indexes.query("by_town", "town", "Redmond").requireOk().json();
        assertThat(one.path("entries").findValuesAsText("shard").stream().distinct())
                .hasSizeLessThanOrEqualTo(1);
    }

    private static void requireRight(StackUnderTest stack, Path global) throws Exception {
        stack.settle(StackUnderTest.readCatalog(global).table(TABLE).orElseThrow());
        JsonNode verified = new VerifyJobs(stack, TABLE, PATIENCE).run("full", false);
        assertThat(verified.path("equal").asBoolean()).as("%s", verified).isTrue();
        assertThat(verified.findValuesAsText("index")).contains("by_town", "by_tag");
        requireReadsItsOwnWrites(stack);
    }

    private static void requireReadsItsOwnWrites(StackUnderTest stack) throws Exception {
        for (int i = 0; i < 20; i++) {
            String town = "Own " + i;
            String token = stack.facts()
                    .put(TABLE, "70000", person(70_000, town))
                    .requireOk()
                    .json()
                    .path("token")
                    .asText();
            JsonNode answer = stack.indexes()
                    .query("by_town", "town", town, "token", token, "wait", "20s")
                    .requireOk()
                    .json();
            assertThat(answer.path("entries")).as("%s", answer).hasSize(1);
            assertThat(stack.indexes()
                            .query("by_town", "town", "Own " + (i - 1), "token", token, "wait", "20s")
                            .requireOk()
                            .json()
                            .path("entries"))
                    .as("the row has left its partition")
                    .isEmpty();
        }
    }

    private static JsonNode person(int id, String town) {
        return RowJson.mapper()
                .createObjectNode()
                .put("personId", id)
                .put("town", town)
                .put("name", "N" + id);
    }
}
