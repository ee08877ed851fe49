package dev.tidemark.deploy.bench.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.scenario.Contender;
import dev.tidemark.deploy.bench.scenario.Figure;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;
import dev.tidemark.deploy.drill.hostile.Flood;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.BoundedWait;

/** One client that asks both services in turn, while others that are slow are connected. */
final class HttpClientsContender implements Contender {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration STEP = Duration.ofMillis(10);
    private static final int OK = 200;
    private static final int CREATED = 201;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    private final String name;
    private final ScenarioContext context;
    private final Supplier<List<Flood>> others;
    private long changes;

    /**
     * A racer.
     *
     * @param others makes the slow clients of a round
     */
    HttpClientsContender(String name, ScenarioContext context, Supplier<List<Flood>> others) {
        this.name = name;
        this.context = context;
        this.others = others;
    }

    /** Moves the slow clients. */
    private record Mover(List<Flood> floods, Clock clock) implements Agent {
        @Override
        public String roleName() {
            return "slow-clients";
        }

        @Override
        public int doWork() {
            Instant now = clock.instant();
            floods.forEach(flood -> flood.tick(now));
            return 0;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Map<Figure, Double> run() throws BenchException, IOException, InterruptedException {
        List<Flood> floods = others.get();
        AgentRunner mover = AgentRunner.start(new Mover(floods, context.clock()), STEP);
        try {
            BoundedWait.rest(WARM_UP);
            return measure();
        } finally {
            mover.close(PATIENCE);
            floods.forEach(Flood::close);
        }
    }

    private Map<Figure, Double> measure() throws BenchException, IOException, InterruptedException {
        URI writer = context.stack().writerUrl();
        URI worker = context.stack().workerUrl();
        List<Duration> health = new ArrayList<>();
        List<Duration> puts = new ArrayList<>();
        List<Duration> queries = new ArrayList<>();
        Instant end = context.clock().instant().plus(context.size().time());
        while (context.clock().instant().isBefore(end)) {
            health.add(timed(get(writer, "/health/live")));
            health.add(timed(get(worker, "/health/live")));
            CustomerRow customer =
                    CustomerRow.ofChange(changes++, context.size().rows());
            puts.add(timed(to(writer, "/v1/tables/customers/rows/" + customer.id())
                    .header("Content-Type", "application/json")
                    .PUT(HttpRequest.BodyPublishers.ofByteArray(customer.bytes()))));
            String town = customer.town().replace(" ", "%20");
            queries.add(timed(get(worker, "/v1/indexes/by_town_last_name/entries?limit=20&town=" + town)));
        }
        return Map.of(
                Figure.CLIENTS_HEALTH, p99Millis(health),
                Figure.CLIENTS_PUT, p99Millis(puts),
                Figure.CLIENTS_QUERY, p99Millis(queries));
    }

    private static HttpRequest.Builder get(URI service, String path) {
        return to(service, path).GET();
    }

    private static HttpRequest.Builder to(URI service, String path) {
        return HttpRequest.newBuilder(service.resolve(path)).timeout(PATIENCE);
    }

    private Duration timed(HttpRequest.Builder request) throws BenchException, IOException, InterruptedException {
        Instant begun = context.clock().instant();
        HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        Duration took = Duration.between(begun, context.clock().instant());
        if (answer.statusCode() != OK && answer.statusCode() != CREATED) {
            throw new BenchException("a call was answered " + answer.statusCode() + " " + answer.body());
        }
        return took;
    }

    private static double p99Millis(List<Duration> times) {
        Collections.sort(times);
        return times.get(times.size() * 99 / 100).toNanos() / 1e6;
    }

    @Override
    public void close() {
        // The rounds leave nothing behind.
    }
}
