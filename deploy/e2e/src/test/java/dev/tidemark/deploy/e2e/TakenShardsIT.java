package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.e2e.running.AnotherWorker;
import dev.tidemark.deploy.e2e.running.CommandStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.PrivateFiles;
import dev.tidemark.testkit.UnusedPort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A worker takes shards from another one that has them, or had them, and goes on from there. */
@Execution(ExecutionMode.CONCURRENT)
@TakesTurns(turn = 1, of = 3)
class TakenShardsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int ROWS = 2_000;
    private static final ChildId SECOND = new ChildId(Role.WORKER, 2);

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void theOtherReplicaGroupGivesEveryShardAndTheRestIsRead() throws Exception {
        Path catalog = StackUnderTest.resource("/e2e/group-catalog.yaml");
        Map<String, String> environment = Map.of("TIDEMARK_WORKER_COPY_MIN_RECORDS", "10");
        try (CommandStack stack =
                CommandStack.start("taken-shards", catalog, environment, "--workers", "1", "--replica-groups", "2")) {
            URI writer = stack.endpoints().writers().get(0);
            List<URI> workers = stack.endpoints().workers();
            String token = load(writer, 0);
            workers.forEach(worker -> awaitRows(worker, token, ROWS));

            PrivateFiles.removeDirectory(stack.data().resolve("worker-2").resolve("shards"));
            long killed = stack.kill(SECOND);
            stack.awaitRestart(SECOND, killed);

            for (int partition = 0; partition < 4; partition++) {
                String took = "Took shard people-" + partition + " up to offset";
                await().atMost(PATIENCE).until(() -> log(stack).contains(took));
            }
            String next = load(writer, ROWS);
            workers.forEach(worker -> awaitRows(worker, next, 2 * ROWS));
            assertThat(stack.data().resolve("worker").resolve("copies")).isEmptyDirectory();
        }
    }

    @Test
    void aWorkerThatJoinsTakesShardsFromTheOneThatHadThem() throws Exception {
        Path catalog = StackUnderTest.resource("/e2e/group-catalog.yaml");
        try (StackUnderTest stack = StackUnderTest.start("joined-shards", settings -> settings.withCatalog(catalog))) {
            URI writer = stack.facts().http().base();
            String token = load(writer, 0);
            awaitRows(stack.indexes().http().base(), token, ROWS);
            int port = UnusedPort.find();
            try (AnotherWorker joined = AnotherWorker.start(
                    stack, "joined", port, List.of(), List.of("group.instance.id=none", "copy.min.records=10"))) {
                Path log = stack.stack().settings().data().resolve("joined/worker.log");
                await().atMost(PATIENCE).until(() -> Files.readString(log).contains("is open at offset"));
                assertThat(Files.readString(log))
                        .contains("Took shard people-")
                        .doesNotContain("is open at offset 0", "reads its topic");
                awaitRows(joined.url(), load(writer, ROWS), 2 * ROWS);
            }
        }
    }

    private static String log(CommandStack stack) throws IOException {
        return Files.readString(stack.data().resolve("worker-2.log"));
    }

    /** Writes rows, and gives what a query must hold to hold them all. */
    private String load(URI writer, int from) throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = from; i < from + ROWS; i++) {
            lines.append("{\"personId\":\"taken-").append(i).append("\",\"town\":\"Anytown\"}\n");
        }
        HttpRequest request = HttpRequest.newBuilder(writer.resolve("/v1/tables/people/rows"))
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofString(lines.toString()))
                .build();
        HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).isEqualTo(200);
        return RowJson.parse(answer.body()).path("token").asText();
    }

    private void awaitRows(URI worker, String token, int rows) {
        URI query = worker.resolve("/v1/indexes/people.by_town/entries?town=Anytown&limit=10000&token=" + token);
        await().atMost(PATIENCE).untilAsserted(() -> {
            HttpRequest request = HttpRequest.newBuilder(query)
                    .timeout(Duration.ofSeconds(30))
                    .build();
            HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            assertThat(answer.statusCode())
                    .as(new String(answer.body(), StandardCharsets.UTF_8))
                    .isEqualTo(200);
            assertThat(RowJson.parse(answer.body()).path("entries")).hasSize(rows);
        });
    }
}
