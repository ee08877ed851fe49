package dev.tidemark.deploy.bench.http;

import java.net.URI;
import java.net.http.HttpRequest;
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
import dev.tidemark.deploy.bench.scenario.Figure;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;
import dev.tidemark.deploy.drill.hostile.Flood;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.BoundedWait;

/** Rounds of one client that calls both services in turn, while slow clients are connected. */
final class HttpClientsRound {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration STEP = Duration.ofMillis(10);

    private final HttpCalls calls = HttpCalls.within(PATIENCE);
    private final ScenarioContext context;
    private final Clock clock;
    private final Supplier<List<Flood>> others;
    private long changes;

    /**
     * A client of both services.
     *
     * @param others makes the slow clients of a round
     */
    HttpClientsRound(ScenarioContext context, Supplier<List<Flood>> others) {
        this.context = context;
        this.clock = context.stack().clock();
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

    Map<Figure, Double> run() throws BenchException, InterruptedException {
        List<Flood> floods = others.get();
        AgentRunner mover = AgentRunner.start(new Mover(floods, clock), STEP);
        try {
            BoundedWait.rest(WARM_UP);
            return measure();
        } finally {
            mover.close(PATIENCE);
            floods.forEach(Flood::close);
        }
    }

    private Map<Figure, Double> measure() throws BenchException, InterruptedException {
        URI writer = context.stack().services().writerUrl();
        URI worker = context.stack().services().workerUrl();
        List<Duration> health = new ArrayList<>();
        List<Duration> puts = new ArrayList<>();
        List<Duration> queries = new ArrayList<>();
        Instant end = clock.instant().plus(context.size().time());
        while (clock.instant().isBefore(end)) {
            health.add(timed(calls.to(writer, "/health/live")));
            health.add(timed(calls.to(worker, "/health/live")));
            CustomerRow customer =
                    CustomerRow.ofChange(changes++, context.size().rows());
            puts.add(timed(calls.to(writer, "/v1/tables/customers/rows/" + customer.id(), "application/json")
                    .PUT(HttpRequest.BodyPublishers.ofByteArray(customer.bytes()))));
            String town = customer.town().replace(" ", "%20");
            queries.add(timed(calls.to(worker, "/v1/indexes/by_town_last_name/entries?limit=20&town=" + town)));
        }
        return Map.of(
                Figure.CLIENTS_HEALTH, p99Millis(health),
                Figure.CLIENTS_PUT, p99Millis(puts),
                Figure.CLIENTS_QUERY, p99Millis(queries));
    }

    private Duration timed(HttpRequest.Builder request) throws BenchException, InterruptedException {
        Instant begun = clock.instant();
        HttpCalls.Answer answer = calls.send(request);
        Duration took = Duration.between(begun, clock.instant());
        answer.requireDone();
        return took;
    }

    private static double p99Millis(List<Duration> times) {
        Collections.sort(times);
        return times.get(times.size() * 99 / 100).toNanos() / 1e6;
    }
}
