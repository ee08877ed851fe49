package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.IndexBuilder.IndexShape;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.deploy.target.ServiceCaller.Reply;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;

/** Writer and worker of a stack with a table of customers, as a client has them. For any thread. */
public final class TidemarkTarget implements IndexBuilder {
    /** For a build, a verification, and an index that catches up. */
    private static final Duration LONG_PATIENCE = Duration.ofMinutes(10);

    private static final Duration STEP = Duration.ofMillis(20);
    private static final String INDEX = "by_last_name_town";
    private static final int ROWS_A_REQUEST = 5_000;
    private static final int NOT_FOUND = 404;

    private final BenchSystems.ParallelRequests requests;
    private final ServiceCaller orders;
    private final LocalStack services;
    private final Clock clock;
    private final String table;

    TidemarkTarget(BenchStack stack, String table) {
        this.requests = stack.bench().systems().requests();
        this.orders = stack.worker(LONG_PATIENCE);
        this.services = stack.services();
        this.clock = stack.clock();
        this.table = table;
    }

    /** How a verification compares, as users choose it. */
    enum Mode {
        /** By digests where these are equal. */
        QUICK,
        /** Row by row. */
        FULL
    }

    /**
     * A verification that found everything equal.
     *
     * @param time from the request until the verification was done
     * @param rows compared
     * @param basis what the worker compared: rows or digests
     */
    record Compared(Duration time, long rows, String basis) {
        /** Rows a second. */
        public double perSecond() {
            return rows * 1e9 / time.toNanos();
        }
    }

    /** The name of the table. */
    String table() {
        return table;
    }

    /** Writes one row; the token of the write, once it is durable. */
    CompletableFuture<String> put(CustomerRow customer) {
        String path = ServiceCaller.rowsOf(table) + "/" + customer.id();
        return requests.send("PUT", services.writerUrl().resolve(path), "application/json", customer.json())
                .thenApply(reply -> answer(reply).path("token").asText());
    }

    /** Writes rows in one request; the token of the last, once all are durable. Fails when any was rejected. */
    CompletableFuture<String> load(List<CustomerRow> customers) {
        String lines = customers.stream().map(CustomerRow::json).collect(Collectors.joining("\n"));
        URI rows = services.writerUrl().resolve(ServiceCaller.rowsOf(table));
        return requests.send("POST", rows, "application/x-ndjson", lines).thenApply(reply -> {
            JsonNode answer = answer(reply);
            if (answer.path("committed").asInt() != customers.size()) {
                throw new IllegalStateException("expected all lines to be committed, but got " + answer);
            }
            return answer.path("token").asText();
        });
    }

    /** Queries the index for a town, with the token of a write; done when the answer has it. */
    CompletableFuture<JsonNode> query(String town, String token, Duration patience) {
        Map<String, String> parameters =
                Map.of("limit", "1", "town", town, "token", token, "wait", patience.toMillis() + "ms");
        String path = ServiceCaller.entriesOf(table + ".by_town_last_name", parameters);
        return requests.send("GET", services.workerUrl().resolve(path), "", "").thenApply(TidemarkTarget::answer);
    }

    /** Writes rows in requests of 5,000, one after the other, and returns when all are durable. */
    void loadAll(Stream<CustomerRow> rows) throws BenchException {
        List<CustomerRow> batch = new ArrayList<>();
        for (Iterator<CustomerRow> each = rows.iterator(); each.hasNext(); ) {
            batch.add(each.next());
            if (batch.size() == ROWS_A_REQUEST || !each.hasNext()) {
                try {
                    load(List.copyOf(batch)).join();
                } catch (CompletionException e) {
                    throw new BenchException("a load failed: " + e.getCause(), e);
                }
                batch.clear();
            }
        }
    }

    /** Does the same, and returns when the index has the rows as well. */
    @Override
    public void load(Stream<CustomerRow> all) throws BenchException, InterruptedException {
        loadAll(all);
        Instant loaded = clock.instant();
        await(
                "/v1/lag",
                lag -> lag.path("indexes")
                        .valueStream()
                        .filter(index -> index.path("table").asText().equals(table))
                        .allMatch(index -> hasAllOf(loaded, index)));
    }

    private boolean hasAllOf(Instant moment, JsonNode index) {
        return index.path("state").asText().equals("steady")
                && index.path("recordsBehind").asLong(Long.MAX_VALUE) < 100
                && isFresherThan(moment, index.path("freshnessSeconds"));
    }

    /** Whether all of that moment is in the index: what waits in the outbox is not among the records of topics. */
    private boolean isFresherThan(Instant moment, JsonNode seconds) {
        double since = Duration.between(moment, clock.instant()).toNanos() / 1e9;
        return seconds.asDouble(Double.MAX_VALUE) < since;
    }

    /** The worker's metrics page, at once. */
    String workerMetrics() throws BenchException, InterruptedException {
        return call("GET", "/metrics", new byte[0]).body();
    }

    @Override
    public Duration build(IndexShape shape) throws BenchException, InterruptedException {
        return build(shape, false);
    }

    /** Builds the index, partitioned by its own key where it is to be global. */
    Duration build(IndexShape shape, boolean global) throws BenchException, InterruptedException {
        ObjectNode definition = RowJson.mapper().createObjectNode();
        definition.put("table", table).put("index", INDEX).put("projection", shape.projection());
        KEY.forEach(definition.putArray("key")::add);
        if (global) {
            definition.put("scope", "global");
        }
        Instant begin = clock.instant();
        done(call("POST", "/v1/indexes", RowJson.write(definition)));
        await("/v1/indexes/" + INDEX, index -> index.at("/life/state").asText().equals("ready"));
        return Duration.between(begin, clock.instant());
    }

    @Override
    public void drop() throws BenchException, InterruptedException {
        done(call("DELETE", "/v1/indexes/" + INDEX, new byte[0]));
        await("/v1/indexes", list -> !list.findValuesAsText("index").contains(INDEX));
    }

    /**
     * Compares the table with its index.
     *
     * @throws BenchException when anything differs, or the verification fails or does not finish
     */
    Compared verify(Mode mode) throws BenchException, InterruptedException {
        ObjectNode order = RowJson.mapper().createObjectNode();
        order.put("table", table).put("mode", mode.name().toLowerCase(Locale.ROOT));
        Instant begin = clock.instant();
        String id = done(call("POST", "/v1/verify", RowJson.write(order)))
                .json()
                .path("id")
                .asText();
        JsonNode job = await(
                "/v1/verify/" + id,
                state -> state.has("equal") || state.path("state").asText().equals("failed"));
        Duration time = Duration.between(begin, clock.instant());
        if (!job.path("equal").asBoolean()) {
            throw new BenchException("expected the verification to find everything equal, but got " + job);
        }
        return new Compared(time, job.path("rows").asLong(), job.path("basis").asText());
    }

    private static JsonNode answer(Reply reply) {
        try {
            return done(reply).json();
        } catch (BenchException e) {
            throw new CompletionException(e);
        }
    }

    /** Calls the worker. */
    private Reply call(String method, String path, byte[] body) throws BenchException, InterruptedException {
        try {
            Map<String, String> type = body.length == 0 ? Map.of() : Map.of("Content-Type", "application/json");
            return orders.call(method, path, type, body);
        } catch (IOException e) {
            throw new BenchException("the worker gave no answer: " + e.getMessage(), e);
        }
    }

    /** The same answer, which must have a status of 2xx. */
    private static Reply done(Reply reply) throws BenchException {
        if (!reply.ok()) {
            throw new BenchException("a request was answered " + reply);
        }
        return reply;
    }

    /** Reads the path of the worker until the answer is as it should be. */
    private JsonNode await(String path, Predicate<JsonNode> done) throws BenchException, InterruptedException {
        Instant end = clock.instant().plus(LONG_PATIENCE);
        Optional<JsonNode> last = find(path);
        while (last.filter(done).isEmpty()) {
            if (clock.instant().isAfter(end)) {
                throw new BenchException("not done within " + LONG_PATIENCE.toMinutes() + " minutes: "
                        + last.map(JsonNode::toString).orElse("not found"));
            }
            BoundedWait.rest(STEP);
            last = find(path);
        }
        return last.get();
    }

    /** Empty while there is no such thing: the worker follows the definitions a moment later. */
    private Optional<JsonNode> find(String path) throws BenchException, InterruptedException {
        Reply reply = call("GET", path, new byte[0]);
        return reply.status() == NOT_FOUND
                ? Optional.empty()
                : Optional.of(done(reply).json());
    }
}
