package dev.tidemark.deploy.e2e.load;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Clients that know all workers and ask one after the other for the rows of a town, in one answer or in pages. Each
 * changes a row of its own now and then, and judges whether answers are whole, hold its write where it sends the token
 * of that, and hold what they say they are complete up to.
 */
public final class GroupReaders implements AutoCloseable {
    /** What every answer holds. */
    public static final int ROWS = 120;

    private static final int PAGE = 50;
    private static final int WRITE_EVERY = 4;
    private static final int PAGES_EVERY = 5;
    private static final int PLAIN_EVERY = 7;

    /** Of a client between two questions; many of them must leave the machine time for the workers. */
    private static final int REST_MS = 100;

    /** How long one waits for a worker that does not even answer. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration ENDING = Duration.ofSeconds(60);

    /** The writer's clock and the clients' are read at different moments. */
    private static final Duration CLOCKS = Duration.ofMillis(50);

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI writer;
    private final List<URI> workers;
    private final String wait;
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger away = new AtomicInteger();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads;
    private volatile boolean over;

    private GroupReaders(URI writer, List<URI> workers, String wait, int clients) {
        this.writer = writer;
        this.workers = workers;
        this.wait = wait.isEmpty() ? "" : "&wait=" + wait;
        this.threads = Executors.newFixedThreadPool(clients);
    }

    /**
     * Writes the rows, waits until each worker has them, then starts clients.
     *
     * @param wait how long a question may wait, as its parameter spells it; empty for what is usual
     * @param clients at most {@link #ROWS}
     */
    public static GroupReaders start(URI writer, List<URI> workers, String wait, int clients) throws Exception {
        GroupReaders readers = new GroupReaders(writer, workers, wait, clients);
        String token = readers.load();
        for (URI worker : workers) {
            await().atMost(PATIENCE).until(() -> readers.isWhole(worker, "&token=" + token));
        }
        for (int client = 0; client < clients; client++) {
            Client started = readers.new Client(client, token);
            readers.threads.execute(started::run);
        }
        return readers;
    }

    /** Whether a worker answers with all rows. */
    public boolean isWhole(URI worker) throws InterruptedException {
        return isWhole(worker, "");
    }

    private boolean isWhole(URI worker, String token) throws InterruptedException {
        try {
            HttpResponse<byte[]> answer = ask(worker, "&limit=1000" + token);
            return answer.statusCode() == 200
                    && RowJson.parse(answer.body()).path("entries").size() == ROWS;
        } catch (IOException | BadJsonException e) {
            return false;
        }
    }

    /** How many questions were answered. */
    public int answers() {
        return answers.get();
    }

    /** Ends all clients, and fails if an answer was wrong, or a question was not answered by a worker that took it. */
    public void finish() throws InterruptedException {
        over = true;
        threads.shutdown();
        assertThat(threads.awaitTermination(ENDING.toMillis(), TimeUnit.MILLISECONDS))
                .as("the clients end")
                .isTrue();
        System.out.println(
                "Readers of groups: " + answers + " answers, " + away + " questions to workers that were away");
        assertThat(failures).isEmpty();
    }

    @Override
    public void close() {
        over = true;
        threads.shutdownNow();
    }

    private String load() throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < ROWS; i++) {
            lines.append(row(i, 0)).append('\n');
        }
        HttpRequest request = HttpRequest.newBuilder(writer.resolve("/v1/tables/people/rows"))
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofString(lines.toString()))
                .build();
        HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).isEqualTo(200);
        return RowJson.parse(answer.body()).path("token").asText();
    }

    private HttpResponse<byte[]> ask(URI worker, String more) throws IOException, InterruptedException {
        URI uri = worker.resolve("/v1/indexes/people.by_town/entries?town=Anytown" + more + wait);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(SILENCE.plus(wait.isEmpty() ? Duration.ZERO : SILENCE.multipliedBy(3)))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String id(int row) {
        return String.format("any-%03d", row);
    }

    private static String row(int row, int round) {
        return "{\"personId\":\"" + id(row) + "\",\"town\":\"Anytown\",\"round\":" + round + "}";
    }

    /** One client, in one thread. Its row's rounds only grow. */
    private final class Client {
        private final int number;
        private String token;
        private int written;
        private Instant acknowledged = Instant.now();
        private int turn;

        Client(int number, String token) {
            this.number = number;
            this.token = token;
            this.turn = number;
        }

        void run() {
            while (!over) {
                turn++;
                try {
                    if (turn % WRITE_EVERY == 0) {
                        write();
                    }
                    if (turn % PLAIN_EVERY == 0) {
                        judge(List.of(page("&limit=1000")), false);
                    } else {
                        judge(turn % PAGES_EVERY == 0 ? pages() : List.of(page("&limit=1000&token=" + token)), true);
                    }
                    TimeUnit.MILLISECONDS.sleep(REST_MS);
                } catch (IOException e) {
                    // The worker is away; the next one is asked.
                    away.incrementAndGet();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                } catch (Exception | AssertionError e) {
                    failures.add("client " + number + ": " + e);
                }
            }
        }

        private void write() throws Exception {
            HttpRequest request = HttpRequest.newBuilder(writer.resolve("/v1/tables/people/rows/" + id(number)))
                    .header("Content-Type", "application/json")
                    .PUT(HttpRequest.BodyPublishers.ofString(row(number, written + 1)))
                    .build();
            HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            assertThat(answer.statusCode()).isEqualTo(200);
            token = RowJson.parse(answer.body()).path("token").asText();
            written++;
            acknowledged = Instant.now();
        }

        private List<JsonNode> pages() throws Exception {
            List<JsonNode> all = new ArrayList<>();
            String cursor = "";
            do {
                JsonNode page = page("&limit=" + PAGE + "&token=" + token + cursor);
                all.add(page);
                JsonNode next = page.path("next");
                cursor = next.isNull() ? "" : "&cursor=" + URLEncoder.encode(next.asText(), StandardCharsets.UTF_8);
                turn++;
            } while (!cursor.isEmpty());
            return all;
        }

        private JsonNode page(String more) throws Exception {
            URI worker = workers.get(turn % workers.size());
            HttpResponse<byte[]> answer = ask(worker, more);
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(worker + " answered " + answer.statusCode() + ": "
                        + new String(answer.body(), StandardCharsets.UTF_8));
            }
            answers.incrementAndGet();
            return RowJson.parse(answer.body());
        }

        private void judge(List<JsonNode> pages, boolean withToken) {
            List<String> keys = new ArrayList<>();
            boolean complete = withToken || isCompleteUpToWrite(pages.get(0).path("freshness"));
            for (JsonNode page : pages) {
                for (JsonNode entry : page.path("entries")) {
                    String key = entry.path("primaryKey").asText();
                    keys.add(key);
                    if (key.equals(id(number)) && complete) {
                        assertThat(entry.path("row").path("round").asInt())
                                .as("round of %s, written at %s: %s", key, acknowledged, page.path("freshness"))
                                .isEqualTo(written);
                    }
                }
            }
            assertThat(keys)
                    .as("keys, with token %s: %s", withToken, pages.get(0).path("freshness"))
                    .isSorted()
                    .doesNotHaveDuplicates()
                    .hasSize(ROWS);
        }

        private boolean isCompleteUpToWrite(JsonNode freshness) {
            String time = freshness.path("completeUpTo").asText();
            return !time.isEmpty() && !Instant.parse(time).isBefore(acknowledged.plus(CLOCKS));
        }
    }
}
