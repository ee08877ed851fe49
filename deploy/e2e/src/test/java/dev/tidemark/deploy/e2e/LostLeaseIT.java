package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.http.Indexes;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.ChildSpec;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A worker that was stopped while another took over its partitions does not answer for them when it goes on. */
@Execution(ExecutionMode.CONCURRENT)
@TakesTurns(turn = 2, of = 3)
class LostLeaseIT {
    private static final String CATALOG = """
            tables:
              things:
                primaryKey: id
                partitions: 4
                indexes:
                  by_kind: { key: [kind], projection: all }
            """;
    private static final int ROWS = 24;
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration STEP = Duration.ofMillis(50);
    private static final Duration SOON = Duration.ofMillis(10);

    @TempDir
    private Path directory = Path.of("");

    private final List<AutoCloseable> running = new ArrayList<>();
    private Instant acknowledged = Instant.MAX;

    @BeforeEach
    void nothingRuns() {
        running.clear();
    }

    @AfterEach
    void stopAll() throws Exception {
        for (int i = running.size() - 1; i >= 0; i--) {
            running.get(i).close();
        }
    }

    @Test
    void answersNothingFromShardsThatOthersMayHave() throws Exception {
        Path catalog = Files.writeString(directory.resolve("catalog.yaml"), CATALOG);
        StackUnderTest stack = StackUnderTest.start("lost-lease", settings -> settings.withCatalog(catalog));
        running.add(stack);
        Indexes first = stack.indexes();
        write(stack, "old");
        await().atMost(PATIENCE).until(() -> entries(first).size() == ROWS);
        Indexes second = startSecond(stack);
        await().atMost(PATIENCE).until(() -> haveBothShards(second));

        stack.child(Role.WORKER).suspend();
        CompletableFuture<Answer> asked;
        try {
            await().atMost(PATIENCE)
                    .pollInterval(STEP)
                    .until(() -> second.query("things.by_kind").ok());
            write(stack, "new");
            acknowledged = stack.clock().instant();
            await().atMost(PATIENCE).until(() -> entries(second).stream().allMatch(this::isNew));
            asked = ask(first);
        } finally {
            stack.child(Role.WORKER).resume();
        }

        // Without a lease it asks the worker that has its partitions now, or refuses.
        Answer answer = asked.get(60, TimeUnit.SECONDS);
        if (answer.ok()) {
            assertThat(answer.json().path("entries")).as(answer.toString()).allMatch(this::isNew);
        } else {
            assertThat(answer.status()).as(answer.toString()).isEqualTo(503);
            assertThat(answer.header("Retry-After")).isEqualTo("1");
        }
        requireHonestUntilItAnswersAgain(stack, first);
    }

    /** Whatever is answered is as old as it says at most; in the end this worker has its part again. */
    private void requireHonestUntilItAnswersAgain(StackUnderTest stack, Indexes first) throws Exception {
        Instant end = stack.clock().instant().plus(PATIENCE);
        boolean answered = false;
        while (!answered) {
            assertThat(stack.clock().instant()).as("answers again in time").isBefore(end);
            Instant sent = stack.clock().instant();
            Answer answer = part(first);
            if (answer.ok()) {
                JsonNode freshness = answer.json().path("freshness");
                Duration least = Duration.between(acknowledged, sent);
                for (JsonNode entry : answer.json().path("entries")) {
                    assertThat(isNew(entry) || freshness.path("stalenessMs").asLong() >= least.toMillis())
                            .as("%s, %s after the write", answer, least)
                            .isTrue();
                }
                answered = answer.json().path("entries").size() > 0;
            } else {
                assertThat(answer.status()).as(answer.toString()).isEqualTo(503);
            }
            BoundedWait.rest(SOON);
        }
    }

    private Indexes startSecond(StackUnderTest stack) {
        int port = StackPorts.free().worker();
        List<String> command = stack.child(Role.WORKER).spec().command().stream()
                .map(word -> word.startsWith("http.port=") ? "http.port=" + port : word)
                .map(word -> word.startsWith("advertised.url=") ? "advertised.url=http://127.0.0.1:" + port : word)
                .map(word -> word.startsWith("data.dir=") ? "data.dir=" + directory.resolve("second") : word)
                .toList();
        ChildProcess second = new ChildProcess(new ChildSpec(ChildId.first(Role.WORKER), command, directory));
        running.add(() -> {
            second.kill();
            second.awaitEnd(Duration.ofSeconds(10));
        });
        second.start();
        URI url = URI.create("http://127.0.0.1:" + port);
        HttpServices services = new HttpServices();
        await().atMost(PATIENCE).pollInterval(STEP).until(() -> services.isReady(url));
        return new Indexes(url);
    }

    private static void write(StackUnderTest stack, String state) throws IOException, InterruptedException {
        for (int id = 0; id < ROWS; id++) {
            stack.facts()
                    .put(
                            "things",
                            Integer.toString(id),
                            RowJson.mapper().valueToTree(Map.of("id", id, "kind", "k", "state", state)))
                    .requireOk();
        }
    }

    private static CompletableFuture<Answer> ask(Indexes worker) throws InterruptedException {
        CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return part(worker);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        });
        // On its way before the worker goes on, so that it is among the first things it sees.
        BoundedWait.rest(Duration.ofMillis(300));
        return answer;
    }

    private static Answer part(Indexes worker) throws IOException, InterruptedException {
        return worker.query("things.by_kind", "allow_partial", "true", "limit", "1000");
    }

    private static boolean haveBothShards(Indexes worker) throws IOException, InterruptedException {
        JsonNode workers = worker.http().get("/v1/workers").requireOk().json().path("workers");
        return workers.size() == 2
                && !workers.at("/0/shards").isEmpty()
                && !workers.at("/1/shards").isEmpty();
    }

    private static List<JsonNode> entries(Indexes worker) throws IOException, InterruptedException {
        List<JsonNode> entries = new ArrayList<>();
        part(worker).requireOk().json().path("entries").forEach(entries::add);
        return entries;
    }

    private boolean isNew(JsonNode entry) {
        return entry.at("/row/state").asText().equals("new");
    }
}
