package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.tidemark.deploy.drill.hostile.Flood;
import dev.tidemark.deploy.drill.hostile.Scripts;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.deploy.target.ServiceCaller.Reply;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.BoundedWait;

/** Scenarios whose requests this process sends. */
final class RequestSuites {
    private static final Duration BULK_PATIENCE = Duration.ofMinutes(5);
    private static final String TABLE = "customers";
    private static final String INDEX = "by_town_last_name";

    private RequestSuites() {}

    /** Tidemark's writer, which gets one file of rows after the other, each in one request. */
    static Contender bulk(ScenarioContext context) throws IOException {
        Iterator<Path> files = context.rowFiles("ndjson", customer -> customer.json() + "\n");
        BenchStack stack = context.stack();
        TidemarkTarget tidemark = stack.tidemark();
        ServiceCaller writer = stack.writer(BULK_PATIENCE);
        int rows = context.size().rows();
        return () -> {
            Instant begin = stack.clock().instant();
            byte[] lines = Files.readAllBytes(files.next());
            Map<String, String> type = Map.of("Content-Type", "application/x-ndjson");
            Reply reply = writer.call("POST", ServiceCaller.rowsOf(TABLE), type, lines);
            Duration took = Duration.between(begin, stack.clock().instant());
            if (reply.json().path("committed").asInt() != rows) {
                throw new BenchException("expected all lines to be committed, but got " + reply);
            }
            // Loading nothing waits until the index has caught up.
            tidemark.load(Stream.empty());
            return Map.of(Figure.BULK, rows * 1e9 / took.toNanos());
        };
    }

    /** One stack with its rows, called with slow clients beside. */
    static Contender besideSlowClients(ScenarioContext context) throws Exception {
        context.filledTable();
        return new ClientsRound(context, () -> ClientsRound.slow(context))::run;
    }

    /** The same stack without slow clients. */
    static Contender alone(ScenarioContext context) {
        return new ClientsRound(context, List::of)::run;
    }

    /** Rounds of one client that calls both services in turn, while slow clients are connected. */
    private static final class ClientsRound {
        private static final int CONNECTIONS = 400;
        private static final Duration PATIENCE = Duration.ofSeconds(30);
        private static final Duration WARM_UP = Duration.ofSeconds(2);
        private static final Duration STEP = Duration.ofMillis(10);

        private final ScenarioContext context;
        private final ServiceCaller writer;
        private final ServiceCaller worker;
        private final Clock clock;
        private final Supplier<List<Flood>> others;
        private long changes;

        /**
         * A client of both services.
         *
         * @param others makes the slow clients of a round
         */
        ClientsRound(ScenarioContext context, Supplier<List<Flood>> others) {
            this.context = context;
            this.writer = context.stack().writer(PATIENCE);
            this.worker = context.stack().worker(PATIENCE);
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

        static List<Flood> slow(ScenarioContext context) {
            URI writer = context.stack().services().writerUrl();
            URI worker = context.stack().services().workerUrl();
            return List.of(
                    slow(Role.WRITER, writer, new Scripts(writer.getAuthority()).forWriter(TABLE, "customerId")),
                    slow(Role.WORKER, worker, new Scripts(worker.getAuthority()).forWorker(TABLE, INDEX)));
        }

        private static Flood slow(Role role, URI url, List<Scripts.Script> all) {
            List<Scripts.Script> slow =
                    all.stream().filter(Scripts.Script::isSlow).toList();
            return new Flood(role.label(), url, slow, CONNECTIONS);
        }

        Map<Figure, Double> run() throws Exception {
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

        private Map<Figure, Double> measure() throws Exception {
            List<Duration> health = new ArrayList<>();
            List<Duration> puts = new ArrayList<>();
            List<Duration> queries = new ArrayList<>();
            Map<String, String> type = Map.of("Content-Type", "application/json");
            Instant end = clock.instant().plus(context.size().time());
            while (clock.instant().isBefore(end)) {
                health.add(timed(() -> writer.get("/health/live")));
                health.add(timed(() -> worker.get("/health/live")));
                CustomerRow customer =
                        CustomerRow.ofChange(changes++, context.size().rows());
                String row = ServiceCaller.rowsOf(TABLE) + "/" + customer.id();
                puts.add(timed(() -> writer.call("PUT", row, type, customer.bytes())));
                String query = ServiceCaller.entriesOf(INDEX, Map.of("limit", "20", "town", customer.town()));
                queries.add(timed(() -> worker.get(query)));
            }
            return Map.of(
                    Figure.CLIENTS_HEALTH, p99Millis(health),
                    Figure.CLIENTS_PUT, p99Millis(puts),
                    Figure.CLIENTS_QUERY, p99Millis(queries));
        }

        private Duration timed(Callable<Reply> request) throws Exception {
            Instant begun = clock.instant();
            Reply reply = request.call();
            Duration took = Duration.between(begun, clock.instant());
            if (!reply.ok()) {
                throw new BenchException("a request was answered " + reply);
            }
            return took;
        }

        private static double p99Millis(List<Duration> times) {
            return Numbers.quantile(times.stream().map(Duration::toNanos).toList(), 0.99) / 1e6;
        }
    }
}
