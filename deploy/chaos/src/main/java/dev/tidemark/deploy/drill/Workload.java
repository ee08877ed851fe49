package dev.tidemark.deploy.drill;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.target.ServiceCaller.Reply;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;

/** All the clients of a drill. Owned by the thread that started it. */
public final class Workload implements AutoCloseable {
    private static final int WRITERS = 3;
    private static final Duration WRITE_REST = Duration.ofMillis(4);
    private static final Duration READ_REST = Duration.ofMillis(25);
    private static final Duration REDEFINE_REST = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(70);
    private static final Duration AT_ONCE = Duration.ofMillis(100);

    private final ClientGate gate;
    private final List<AgentRunner> runners = new ArrayList<>();
    private final SchemaChanger redefiner;

    private Workload(SchemaChanger redefiner, ClientGate gate) {
        this.redefiner = redefiner;
        this.gate = gate;
    }

    /** Starts the clients; what they do is decided by the seed and by what they are answered. */
    public static Workload start(DrillTarget target, HistoryRecorder books, ClientGate gate, long seed) {
        Workload load = new Workload(new SchemaChanger(target, books.findings(), books.clock()), gate);
        for (int i = 0; i < WRITERS; i++) {
            WriteClient client = new WriteClient("writer" + i, target, books, new Random(seed * 31 + i));
            load.start("drill-writer" + i, WRITE_REST, client::write);
        }
        Random random = new Random(seed * 37);
        load.start("drill-reader", READ_REST, () -> new WriteClient.AnswerCheck(target, books).askAny(random));
        load.start("drill-redefiner", REDEFINE_REST, load.redefiner::change);
        return load;
    }

    private void start(String name, Duration rest, Agent.Step step) {
        runners.add(AgentRunner.start(Agent.resting(name, () -> gate.run(step)), rest));
    }

    /** The catalog that is in force once {@link #bringCatalogInForce()} says so, while the clients rest. */
    public String catalog() {
        return redefiner.catalog();
    }

    /** Makes sure that {@link #catalog()} is in force; returns false when that is unknown. */
    public boolean bringCatalogInForce() throws IOException, InterruptedException {
        return redefiner.bringInForce();
    }

    /** Why clients ended by themselves, which they must not. */
    public List<String> failures() {
        return runners.stream()
                .flatMap(runner -> runner.failure().stream().map(failure -> runner.roleName() + " failed: " + failure))
                .toList();
    }

    /** Ends the clients, and interrupts what they are at: where a drill is, services may not answer any more. */
    @Override
    public void close() {
        stop(AT_ONCE);
    }

    /** Ends the clients, after what they are at. */
    public void stop() {
        stop(PATIENCE);
    }

    private void stop(Duration patience) {
        gate.shut();
        runners.forEach(runner -> runner.close(patience));
    }

    /** Lets clients work, or keeps them out. For any thread. */
    public static final class ClientGate {
        private boolean closed;
        private int inside;

        /** Does the next step of a client, where it may. */
        void run(Agent.Step step) throws InterruptedException {
            synchronized (this) {
                if (closed) {
                    return;
                }
                inside++;
            }
            try {
                step.run();
            } finally {
                synchronized (this) {
                    inside--;
                }
            }
        }

        /** Lets no more clients in. */
        public synchronized void shut() {
            closed = true;
        }

        /** Whether no client is inside. */
        public synchronized boolean isEmpty() {
            return inside == 0;
        }

        public synchronized void open() {
            closed = false;
        }
    }

    /**
     * Brings one catalog after the other in force, so that indexes are always being built, verified, switched and
     * dropped. Every second catalog comes while the one before is still being built; the others wait until it is, or
     * else a slow machine would never come to the end of a build. Its steps exclude each other; any thread may ask
     * which catalog is the newest.
     */
    static final class SchemaChanger {
        private static final Duration EVERY = Duration.ofMillis(1_500);

        /** A build that is stuck is not to keep others from being begun. */
        private static final Duration BUILD_PATIENCE = Duration.ofSeconds(30);

        private final DrillTarget target;
        private final DrillFindings findings;
        private final Clock clock;
        private Instant next;
        private Instant latest;
        private final AtomicInteger number = new AtomicInteger();

        SchemaChanger(DrillTarget target, DrillFindings findings, Clock clock) {
            this.target = target;
            this.findings = findings;
            this.clock = clock;
            this.next = clock.instant().plus(EVERY);
            this.latest = next;
        }

        /** Brings the next catalog in force, where its time has come. */
        void change() throws InterruptedException {
            Instant now = clock.instant();
            try {
                if (now.isBefore(next) || (now.isBefore(latest) && !isBuilt())) {
                    return;
                }
                boolean waits = number.incrementAndGet() % 2 == 1;
                next = now.plus(EVERY);
                latest = waits ? next.plus(BUILD_PATIENCE) : next;
                bringInForce();
            } catch (IOException e) {
                // A service is away; the next catalog comes in its time.
            }
        }

        /** Whether the worker says of every index that the generation which is wanted answers. */
        private boolean isBuilt() throws IOException, InterruptedException {
            Reply reply = target.worker().get("/v1/indexes");
            boolean built = reply.ok();
            for (JsonNode index : reply.json().path("indexes")) {
                built &= index.path("life").path("serves").asBoolean();
            }
            return built;
        }

        /** The catalog that was sent last; whether it is in force is known after {@link #bringInForce()} only. */
        String catalog() {
            return DrillTables.catalog(number.get());
        }

        /** Brings that catalog in force; false when the writer does not say that it is. */
        synchronized boolean bringInForce() throws IOException, InterruptedException {
            Reply now = target.writer().get("/v1/catalog");
            boolean done = now.ok() && define(now.json().path("version").asText());
            findings.count(DrillFindings.Kind.DEFINED, done ? 1 : 0);
            return done;
        }

        private boolean define(String before) throws IOException, InterruptedException {
            byte[] catalog = catalog().getBytes(StandardCharsets.UTF_8);
            Map<String, String> headers = Map.of("Content-Type", "application/yaml", "If-Match", "\"" + before + "\"");
            return target.writer().call("PUT", "/v1/catalog", headers, catalog).ok();
        }
    }
}
