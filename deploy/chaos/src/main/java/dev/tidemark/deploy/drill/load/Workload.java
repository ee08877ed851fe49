package dev.tidemark.deploy.drill.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.tidemark.deploy.drill.history.HistoryRecorder;
import dev.tidemark.deploy.drill.target.DrillTarget;
import dev.tidemark.runtime.AgentRunner;

/** All the clients of a drill. Owned by the thread that started it. */
public final class Workload implements AutoCloseable {
    private static final int WRITERS = 3;
    private static final Duration WRITE_REST = Duration.ofMillis(4);
    private static final Duration READ_REST = Duration.ofMillis(25);
    private static final Duration REDEFINE_REST = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(70);

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
        load.start("drill-reader", READ_REST, () -> new AnswerCheck(target, books).askAny(random));
        load.start("drill-redefiner", REDEFINE_REST, load.redefiner::change);
        return load;
    }

    private void start(String name, Duration rest, GatedClient.Step step) {
        runners.add(AgentRunner.start(new GatedClient(name, gate, step), rest));
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

    @Override
    public void close() {
        stop();
    }

    /** Ends the clients, after what they are at. */
    public void stop() {
        gate.shut();
        runners.forEach(runner -> runner.close(PATIENCE));
    }
}
