package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.deploy.e2e.running.CommandStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Two replica groups of two workers: any of them answers for all, and one may die or stop unnoticed. */
@Execution(ExecutionMode.CONCURRENT)
class AnyWorkerAnswersIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int ROWS = 120;
    private static final int CLIENTS = 4;

    /** Longer than a lease, so that others have its partitions when it goes on. */
    private static final int STOPPED_SECONDS = 8;

    /** On a quiet machine the usual 2 s are enough; here much else may run. */
    private static final String WAIT = "&wait=" + System.getProperty("any.worker.wait", "20s");

    private final HttpClient http = HttpClient.newHttpClient();

    @ParameterizedTest(name = "with the group protocol {0}")
    @ValueSource(strings = {"classic", "consumer"})
    void whileAWorkerIsKilledAndAnotherIsStoppedEveryQuestionIsAnsweredInWhole(String protocol) throws Exception {
        Path catalog = StackUnderTest.resource("/e2e/group-catalog.yaml");
        Map<String, String> environment = Map.of("TIDEMARK_WORKER_KAFKA_GROUP_PROTOCOL", protocol);
        try (CommandStack stack = CommandStack.start(
                "any-worker-" + protocol, catalog, environment, "--workers", "2", "--replica-groups", "2")) {
            List<URI> workers = stack.endpoints().workers();
            String token = load(stack.endpoints().writers().get(0));
            workers.forEach(worker -> awaitWhole(worker, token));
            requirePagesFitTogether(workers);
            requireAllOwned(workers.get(3));

            try (Clients clients = new Clients(workers, token)) {
                ChildId third = new ChildId(Role.WORKER, 3);
                long killed = stack.kill(third);
                stack.awaitRestart(third, killed);
                signal("STOP", stack.pid(new ChildId(Role.WORKER, 2)));
                TimeUnit.SECONDS.sleep(STOPPED_SECONDS);
                signal("CONT", stack.pid(new ChildId(Role.WORKER, 2)));
                workers.forEach(worker -> awaitWhole(worker, token));
                clients.requireNoFailure();
            }
            await().atMost(PATIENCE).untilAsserted(() -> requireAllOwned(workers.get(0)));
        }
    }

    /** Writes rows, and gives what a query must hold to hold them all. */
    private String load(URI writer) throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < ROWS; i++) {
            lines.append("{\"personId\":\"any-").append(i).append("\",\"town\":\"Anytown\"}\n");
        }
        HttpRequest request = HttpRequest.newBuilder(writer.resolve("/v1/tables/people/rows"))
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofString(lines.toString()))
                .build();
        HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).isEqualTo(200);
        return RowJson.parse(answer.body()).path("token").asText();
    }

    private void awaitWhole(URI worker, String token) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            HttpResponse<byte[]> answer = ask(worker, "&limit=1000&token=" + token);
            assertThat(answer.statusCode()).as(text(answer)).isEqualTo(200);
            assertThat(RowJson.parse(answer.body()).path("entries")).hasSize(ROWS);
        });
    }

    private void requirePagesFitTogether(List<URI> workers) throws Exception {
        List<String> keys = new ArrayList<>();
        String cursor = "";
        int turn = 0;
        do {
            HttpResponse<byte[]> answer = ask(workers.get(turn++ % workers.size()), "&limit=17" + cursor + WAIT);
            assertThat(answer.statusCode()).as(text(answer)).isEqualTo(200);
            JsonNode page = RowJson.parse(answer.body());
            page.path("entries")
                    .forEach(entry -> keys.add(entry.path("primaryKey").asText()));
            cursor = page.path("next").isNull()
                    ? ""
                    : "&cursor=" + URLEncoder.encode(page.path("next").asText(), StandardCharsets.UTF_8);
        } while (!cursor.isEmpty());
        assertThat(keys).hasSize(ROWS).isSorted();
        assertThat(new TreeSet<>(keys)).hasSize(ROWS);
    }

    private void requireAllOwned(URI worker) throws Exception {
        HttpResponse<byte[]> answer = get(worker.resolve("/v1/workers"));
        assertThat(answer.statusCode()).as(text(answer)).isEqualTo(200);
        JsonNode json = RowJson.parse(answer.body());
        assertThat(json.path("workers")).as(json.toString()).hasSize(4);
        assertThat(json.path("unowned")).as(json.toString()).isEmpty();
    }

    private HttpResponse<byte[]> ask(URI worker, String more) throws IOException, InterruptedException {
        return get(worker.resolve("/v1/indexes/people.by_town/entries?town=Anytown" + more));
    }

    private HttpResponse<byte[]> get(URI uri) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(30)).build();
        return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** Clients that know all workers, and ask the next one where one does not take their question. */
    private final class Clients implements AutoCloseable {
        private final AtomicBoolean over = new AtomicBoolean();
        private final AtomicInteger answers = new AtomicInteger();
        private final AtomicInteger away = new AtomicInteger();
        private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
        private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);

        Clients(List<URI> workers, String token) {
            for (int client = 0; client < CLIENTS; client++) {
                int first = client;
                threads.execute(() -> {
                    for (int turn = first; !over.get(); turn++) {
                        question(workers.get(turn % workers.size()), token);
                    }
                });
            }
        }

        private void question(URI worker, String token) {
            try {
                HttpResponse<byte[]> answer = ask(worker, "&limit=1000&token=" + token + WAIT);
                int found = answer.statusCode() == 200
                        ? RowJson.parse(answer.body()).path("entries").size()
                        : 0;
                if (answer.statusCode() != 200 || found != ROWS) {
                    failures.add(worker + ": " + answer.statusCode() + ", " + found + " entries, "
                            + text(answer)
                                    .substring(0, Math.min(600, text(answer).length())));
                }
                answers.incrementAndGet();
            } catch (IOException e) {
                // The worker is away; the next one is asked.
                away.incrementAndGet();
            } catch (Exception e) {
                failures.add(worker + ": " + e);
            }
        }

        void requireNoFailure() {
            assertThat(failures).isEmpty();
            assertThat(answers.get()).as(away + " questions were not taken").isGreaterThan(CLIENTS);
        }

        @Override
        public void close() {
            over.set(true);
            threads.shutdownNow();
        }
    }
}
