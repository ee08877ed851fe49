package dev.tidemark.deploy.bench.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.IndexBuilder.IndexShape;
import dev.tidemark.deploy.bench.TidemarkTarget;
import dev.tidemark.deploy.chaos.http.HttpCallers;
import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.deploy.target.ServiceCaller.Reply;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;

/** Both services over HTTP/1.1 with keep-alive, at most 64 requests under way; the others wait for a connection. */
public final class HttpTidemark implements TidemarkTarget {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** For a build, a verification, and an index that catches up. */
    private static final Duration LONG_PATIENCE = Duration.ofMinutes(10);

    private static final Duration STEP = Duration.ofMillis(20);
    private static final String INDEX = "by_last_name_town";
    private static final int ROWS_A_REQUEST = 5_000;
    private static final int CONNECTIONS = 64;
    private static final int NOT_FOUND = 404;

    private final RequestLimiter lanes = new RequestLimiter(CONNECTIONS);
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Runnable::run)
            .connectTimeout(PATIENCE)
            .build();
    private final ServiceCaller orders;
    private final URI writer;
    private final URI worker;
    private final Clock clock;
    private final String table;

    public HttpTidemark(URI writer, URI worker, Clock clock, String table) {
        this.writer = writer;
        this.worker = worker;
        this.clock = clock;
        this.table = table;
        this.orders = new HttpCallers().at(worker, LONG_PATIENCE);
    }

    @Override
    public String table() {
        return table;
    }

    @Override
    public CompletableFuture<String> put(CustomerRow customer) {
        return send(to(writer, ServiceCaller.rowsOf(table) + "/" + customer.id())
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(customer.json())))
                .thenApply(answer -> answer.path("token").asText());
    }

    @Override
    public CompletableFuture<String> load(List<CustomerRow> customers) {
        String lines = customers.stream().map(CustomerRow::json).collect(Collectors.joining("\n"));
        return send(to(writer, ServiceCaller.rowsOf(table))
                        .header("Content-Type", "application/x-ndjson")
                        .POST(BodyPublishers.ofString(lines)))
                .thenApply(answer -> {
                    if (answer.path("committed").asInt() != customers.size()) {
                        throw new IllegalStateException("expected all lines to be committed, but got " + answer);
                    }
                    return answer.path("token").asText();
                });
    }

    @Override
    public void loadAll(Stream<CustomerRow> rows) throws BenchException {
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

    @Override
    public CompletableFuture<Void> query(String town, String token, Duration patience) {
        Map<String, String> parameters =
                Map.of("limit", "1", "town", town, "token", token, "wait", patience.toMillis() + "ms");
        String path = ServiceCaller.entriesOf(table + ".by_town_last_name", parameters);
        return send(to(worker, path)).thenApply(answer -> null);
    }

    @Override
    public String workerMetrics() throws BenchException, InterruptedException {
        return call("GET", "/metrics", new byte[0]).body();
    }

    @Override
    public Duration build(IndexShape shape, boolean global) throws BenchException, InterruptedException {
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

    @Override
    public Compared verify(Mode mode) throws BenchException, InterruptedException {
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

    private static HttpRequest.Builder to(URI service, String path) {
        return HttpRequest.newBuilder(service.resolve(path)).timeout(PATIENCE);
    }

    private CompletableFuture<JsonNode> send(HttpRequest.Builder request) {
        return lanes.enter(() -> client.sendAsync(request.build(), BodyHandlers.ofString()))
                .thenApply(response -> {
                    try {
                        return done(new Reply(response.statusCode(), response.body()))
                                .json();
                    } catch (BenchException e) {
                        throw new CompletionException(e);
                    }
                });
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

    /** Limits the number of requests under way, as an application's connection pool does. For any thread. */
    private static final class RequestLimiter {
        private final Deque<CompletableFuture<@Nullable Void>> waiting = new ArrayDeque<>();
        private int free;

        RequestLimiter(int lanes) {
            this.free = lanes;
        }

        /** Starts the request once a slot is free and returns its response. */
        <T> CompletableFuture<T> enter(Supplier<CompletableFuture<T>> request) {
            CompletableFuture<@Nullable Void> turn = new CompletableFuture<>();
            CompletableFuture<T> result =
                    turn.thenCompose(go -> request.get()).whenComplete((value, failure) -> leave());
            if (admit(turn)) {
                turn.complete(null);
            }
            return result;
        }

        private synchronized boolean admit(CompletableFuture<@Nullable Void> turn) {
            if (free == 0) {
                waiting.addLast(turn);
                return false;
            }
            free--;
            return true;
        }

        private void leave() {
            CompletableFuture<@Nullable Void> next = next();
            if (next != null) {
                next.complete(null);
            }
        }

        private synchronized @Nullable CompletableFuture<@Nullable Void> next() {
            CompletableFuture<@Nullable Void> first = waiting.pollFirst();
            if (first == null) {
                free++;
            }
            return first;
        }
    }
}
