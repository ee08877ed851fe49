package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.http.Indexes;
import dev.tidemark.deploy.e2e.load.SteadyLoad;
import dev.tidemark.deploy.e2e.running.AppliedCatalog;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;

import static org.assertj.core.api.Assertions.assertThat;

/** A table that grows and shrinks while rows are written, queries go on, and processes are killed. */
@Execution(ExecutionMode.CONCURRENT)
class GrowthIT {
    private static final String TABLE = "people";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Path CATALOG = StackUnderTest.resource("/e2e/kills.yaml");
    private static final int STILL_ROWS = 40;

    @TempDir
    private Path directory = Path.of("");

    @Test
    @TakesTurns(turn = 5, of = 6)
    void aTableGrowsAndShrinksWhileEveryAnswerStaysRight() throws Exception {
        try (StackUnderTest stack = StackUnderTest.start("growth", settings -> settings.withCatalog(CATALOG))) {
            String early = "";
            for (int id = 0; id < STILL_ROWS; id++) {
                early = write(stack, id, "Still");
            }
            AtomicBoolean ends = new AtomicBoolean();
            try (SteadyLoad load = SteadyLoad.start(TABLE, stack.facts(), 21)) {
                assertThat(stack.indexes()
                                .query("by_town", "town", "Still", "token", early, "wait", "20s")
                                .requireOk()
                                .json()
                                .path("entries"))
                        .hasSize(STILL_ROWS);
                Indexes asked = stack.indexes();
                CompletableFuture<List<String>> wrong = CompletableFuture.supplyAsync(() -> watch(asked, ends));
                Path grown = catalog(9);
                apply(stack, grown);
                requireLayout(stack, early, 9);
                for (Role role : List.of(Role.WORKER, Role.WRITER)) {
                    stack.kill(role);
                    stack.startAgain(role);
                    BoundedWait.rest(Duration.ofSeconds(1));
                }
                apply(stack, catalog(5));
                requireLayout(stack, early, 5);
                load.stop();
                ends.set(true);
                assertThat(wrong.join()).isEmpty();
            } finally {
                ends.set(true);
            }
            stack.settle(StackUnderTest.readCatalog(catalog(5)).table(TABLE).orElseThrow());
            JsonNode verified = new VerifyJobs(stack, TABLE, PATIENCE).run("full", false);
            assertThat(verified.path("equal").asBoolean()).as("%s", verified).isTrue();
        }
    }

    /** Asks for rows that do not change until it is to end; returns the answers that lack some. */
    private static List<String> watch(Indexes indexes, AtomicBoolean ends) {
        List<String> wrong = new ArrayList<>();
        while (!ends.get() && wrong.size() < 3) {
            try {
                Answer answer = indexes.query("by_town", "town", "Still", "limit", "100");
                if (answer.status() == 200 && answer.json().path("entries").size() != STILL_ROWS) {
                    wrong.add(answer.toString());
                }
                BoundedWait.rest(Duration.ofMillis(5));
            } catch (IOException e) {
                // The worker is being killed.
            } catch (InterruptedException e) {
                return wrong;
            }
        }
        return wrong;
    }

    private void apply(StackUnderTest stack, Path catalog) throws Exception {
        AppliedCatalog.apply(stack, catalog, directory.resolve("output"), "--wait", "--wait-time", "100s");
    }

    private Path catalog(int partitions) throws IOException {
        return Files.writeString(
                directory.resolve("of-" + partitions + ".yaml"),
                Files.readString(CATALOG).replaceFirst("(?m)^( +partitions:) .*$", "$1 " + partitions));
    }

    /** Requires that entries are in so many partitions, and that tokens of before and of now are honoured. */
    private static void requireLayout(StackUnderTest stack, String early, int partitions) throws Exception {
        String token = write(stack, 7, "Still");
        for (String one : List.of(early, token)) {
            JsonNode answer = stack.indexes()
                    .query("by_town", "town", "Still", "limit", "100", "token", one, "wait", "20s")
                    .requireOk()
                    .json();
            assertThat(answer.path("entries")).as("%s", answer).hasSize(STILL_ROWS);
            assertThat(answer.path("entries").findValuesAsText("shard").stream().distinct())
                    .as("%s", answer)
                    .hasSize(partitions);
        }
        assertThat(stack.indexes()
                        .describe(TABLE, "by_town")
                        .path("life")
                        .path("state")
                        .asText())
                .isEqualTo("ready");
    }

    private static String write(StackUnderTest stack, int id, String town) throws Exception {
        int key = 80_000 + id;
        return stack.facts()
                .put(
                        TABLE,
                        Integer.toString(key),
                        RowJson.mapper()
                                .createObjectNode()
                                .put("personId", key)
                                .put("town", town)
                                .put("name", "N" + id))
                .requireOk()
                .json()
                .path("token")
                .asText();
    }
}
