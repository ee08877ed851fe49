package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.ScratchDirectory;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;

/** Starts a separate stack in a temporary directory, runs the visibility benchmark, and deletes the directory. */
public final class VisibilityRun {
    private static final Path CATALOG = Path.of("deploy", "bench", "scripts", "catalog.yaml");

    private final ReadinessProbe probe;
    private final MeasuredSystems systems;
    private final Clock clock;
    private final Consumer<String> progress;

    /** @param progress receives each finished step, as one line */
    public VisibilityRun(ReadinessProbe probe, MeasuredSystems systems, Clock clock, Consumer<String> progress) {
        this.probe = probe;
        this.systems = systems;
        this.clock = clock;
        this.progress = progress;
    }

    /**
     * Runs it all.
     *
     * @param parent where to make the temporary directory; its disk is the one that is synced
     * @param costRounds rounds of measuring what watching costs; 0 for not at all
     */
    public VisibilityReport run(VisibilityBench.Plan plan, Path parent, int costRounds)
            throws BenchException, StackException, IOException, InterruptedException {
        Machine machine = Machine.here(clock);
        Installation installation = Installation.locate().requireBuilt();
        try (ScratchDirectory scratch = ScratchDirectory.below(parent)) {
            Path directory = scratch.path();
            StackSettings settings =
                    StackSettings.of(directory, installation.home().resolve(CATALOG), StackPorts.free());
            List<Comparison> comparisons;
            try (LocalStack stack = LocalStack.startDisposable(installation, settings, probe)) {
                comparisons = run(plan, installation, stack, directory);
            }
            double load = Machine.loadNow();
            ApplyCost cost =
                    costRounds == 0 ? null : ApplyCost.measure(installation, settings.catalog(), directory, costRounds);
            return new VisibilityReport(machine, plan, comparisons, cost, load);
        }
    }

    private List<Comparison> run(VisibilityBench.Plan plan, Installation installation, LocalStack stack, Path directory)
            throws BenchException, InterruptedException {
        progress.accept("broker, writer and worker are up; each contestant warms up before its first round");
        TidemarkLoop tidemark = new TidemarkLoop(systems.tidemark(stack.writerUrl(), stack.workerUrl()), clock);
        Latencies like = tidemark.visibility();
        Map<Baseline, MeasuredSystem> peers = new EnumMap<>(Baseline.class);
        try {
            for (Baseline peer : Baseline.values()) {
                Path log = directory.resolve(peer.key() + ".log");
                peers.put(peer, systems.bareLoop(peer, installation, stack.bootstrapServers(), log, like, clock));
            }
            return new VisibilityBench(peers, tidemark, progress).run(plan);
        } finally {
            peers.values().forEach(MeasuredSystem::close);
        }
    }
}
