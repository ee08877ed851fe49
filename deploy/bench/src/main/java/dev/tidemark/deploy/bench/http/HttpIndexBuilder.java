package dev.tidemark.deploy.bench.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.build.IndexBuilder;
import dev.tidemark.deploy.bench.build.IndexShape;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;

/** Tidemark, asked over HTTP to create an index and to say when it is ready. */
public final class HttpIndexBuilder implements IndexBuilder {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration STEP = Duration.ofMillis(20);
    private static final int NOT_FOUND = 404;
    private static final int ROWS_A_REQUEST = 5_000;
    private static final String INDEX = "by_last_name_town";

    private final HttpTidemark rows;
    private final HttpClient client = HttpClient.newHttpClient();
    private final URI worker;
    private final Clock clock;

    public HttpIndexBuilder(URI writer, URI worker, Clock clock) {
        this.rows = new HttpTidemark(writer, worker);
        this.worker = worker;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "Tidemark";
    }

    @Override
    public void load(Stream<CustomerRow> all) throws BenchException, InterruptedException {
        List<CustomerRow> batch = new ArrayList<>();
        for (Iterator<CustomerRow> each = all.iterator(); each.hasNext(); ) {
            batch.add(each.next());
            if (batch.size() == ROWS_A_REQUEST || !each.hasNext()) {
                write(batch);
                batch.clear();
            }
        }
        await(
                "/v1/lag",
                lag -> lag.at("/indexes/0/state").asText().equals("steady")
                        && lag.at("/indexes/0/recordsBehind").asLong(Long.MAX_VALUE) < 100);
    }

    @Override
    public Duration build(IndexShape shape) throws BenchException, InterruptedException {
        ObjectNode definition = RowJson.mapper().createObjectNode();
        definition.put("table", "customers").put("index", INDEX).put("projection", shape.projection());
        KEY.forEach(definition.putArray("key")::add);
        Instant begin = clock.instant();
        post("/v1/indexes", definition);
        await("/v1/indexes/" + INDEX, index -> index.at("/life/state").asText().equals("ready"));
        return Duration.between(begin, clock.instant());
    }

    @Override
    public void drop() throws BenchException, InterruptedException {
        send(HttpRequest.newBuilder(worker.resolve("/v1/indexes/" + INDEX)).DELETE());
        await("/v1/indexes", list -> !list.findValuesAsText("index").contains(INDEX));
    }

    @Override
    public void close() {
        // The services are not this one's.
    }

    /** Posts an order to the worker; what it answers. */
    JsonNode post(String path, ObjectNode order) throws BenchException, InterruptedException {
        return send(HttpRequest.newBuilder(worker.resolve(path))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(RowJson.write(order))))
                .orElseThrow(() -> new BenchException("the worker does not know " + path));
    }

    private void write(List<CustomerRow> batch) throws BenchException {
        try {
            rows.load(List.copyOf(batch)).join();
        } catch (CompletionException e) {
            throw new BenchException("a load failed: " + e.getCause(), e);
        }
    }

    /** Asks again and again until the answer is as it should be. */
    JsonNode await(String path, Predicate<JsonNode> done) throws BenchException, InterruptedException {
        Instant end = clock.instant().plus(PATIENCE);
        Optional<JsonNode> last = find(path);
        while (last.filter(done).isEmpty()) {
            if (clock.instant().isAfter(end)) {
                throw new BenchException("not done within " + PATIENCE.toMinutes() + " minutes: "
                        + last.map(JsonNode::toString).orElse("not found"));
            }
            BoundedWait.rest(STEP);
            last = find(path);
        }
        return last.get();
    }

    /** Empty while there is no such thing: the worker follows the definitions a moment later. */
    private Optional<JsonNode> find(String path) throws BenchException, InterruptedException {
        return send(HttpRequest.newBuilder(worker.resolve(path)).GET());
    }

    private Optional<JsonNode> send(HttpRequest.Builder request) throws BenchException, InterruptedException {
        try {
            HttpResponse<byte[]> answer =
                    client.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofByteArray());
            if (answer.statusCode() == NOT_FOUND) {
                return Optional.empty();
            }
            if (answer.statusCode() / 100 != 2) {
                throw new BenchException(
                        answer.uri() + " answered " + new String(answer.body(), StandardCharsets.UTF_8));
            }
            return Optional.of(RowJson.parseEnvelope(answer.body()));
        } catch (IOException | BadJsonException e) {
            throw new BenchException(request.build().uri() + " gave no answer: " + e.getMessage(), e);
        }
    }
}
