package dev.tidemark.deploy.bench.http;

import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Contender;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.IndexShape;
import dev.tidemark.deploy.bench.TidemarkTable;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;

/** Tidemark over HTTP: its rows, the state of its index, and its verifications. */
public final class HttpTable implements TidemarkTable {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration STEP = Duration.ofMillis(20);
    private static final String INDEX = "by_last_name_town";

    private final HttpTidemark rows;
    private final HttpCalls calls = HttpCalls.within(PATIENCE);
    private final URI worker;
    private final Clock clock;

    public HttpTable(URI writer, URI worker, Clock clock) {
        this.rows = new HttpTidemark(writer, worker);
        this.worker = worker;
        this.clock = clock;
    }

    @Override
    public String name() {
        return Contender.TIDEMARK;
    }

    @Override
    public void load(Stream<CustomerRow> all) throws BenchException, InterruptedException {
        rows.loadAll(all);
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
        calls.send(calls.to(worker, "/v1/indexes/" + INDEX).DELETE()).requireDone();
        await("/v1/indexes", list -> !list.findValuesAsText("index").contains(INDEX));
    }

    @Override
    public Compared verify(Mode mode) throws BenchException, InterruptedException {
        ObjectNode order = RowJson.mapper().createObjectNode();
        order.put("table", "customers").put("mode", mode.name().toLowerCase(Locale.ROOT));
        Instant begin = clock.instant();
        String id = post("/v1/verify", order).path("id").asText();
        JsonNode job = await(
                "/v1/verify/" + id,
                state -> state.has("equal") || state.path("state").asText().equals("failed"));
        Duration time = Duration.between(begin, clock.instant());
        if (!job.path("equal").asBoolean()) {
            throw new BenchException("expected the verification to find everything equal, but got " + job);
        }
        return new Compared(time, job.path("rows").asLong(), job.path("basis").asText());
    }

    @Override
    public void close() {
        // The services are not this one's.
    }

    /** Posts an order to the worker; what it answers. */
    private JsonNode post(String path, ObjectNode order) throws BenchException, InterruptedException {
        return calls.send(calls.to(worker, path, "application/json")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(RowJson.write(order))))
                .json();
    }

    /** Reads the path until the answer is as it should be. */
    private JsonNode await(String path, Predicate<JsonNode> done) throws BenchException, InterruptedException {
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
        HttpCalls.Answer answer = calls.send(calls.to(worker, path));
        return answer.isMissing() ? Optional.empty() : Optional.of(answer.json());
    }
}
