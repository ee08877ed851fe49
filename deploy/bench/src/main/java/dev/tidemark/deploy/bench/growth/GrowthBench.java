package dev.tidemark.deploy.bench.growth;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Consumer;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.MeasuredSystems;
import dev.tidemark.deploy.bench.build.Builders;
import dev.tidemark.deploy.bench.build.IndexBuilder;
import dev.tidemark.deploy.bench.wrk.WrkQueries;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.ScratchDirectory;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;

/** Starts a separate stack, lets its table grow, and deletes its data. */
public final class GrowthBench {
    private static final Path CATALOG = Path.of("deploy", "bench", "scripts", "catalog.yaml");

    private final ReadinessProbe probe;
    private final MeasuredSystems systems;
    private final Builders builders;
    private final String searchPath;
    private final Clock clock;
    private final Consumer<String> progress;

    /**
     * @param searchPath where to look for wrk, like the value of {@code PATH}
     * @param progress receives each finished step, as one line
     */
    public GrowthBench(
            ReadinessProbe probe,
            MeasuredSystems systems,
            Builders builders,
            String searchPath,
            Clock clock,
            Consumer<String> progress) {
        this.probe = probe;
        this.systems = systems;
        this.builders = builders;
        this.searchPath = searchPath;
        this.clock = clock;
        this.progress = progress;
    }

    /**
     * Runs it all.
     *
     * @param parent where to make the temporary directory
     * @throws BenchException also when wrk is not installed
     */
    public GrowthReport run(GrowthSize size, Path parent)
            throws BenchException, StackException, IOException, InterruptedException {
        Machine machine = Machine.here(clock);
        Installation installation = Installation.locate().requireBuilt();
        Optional<WrkQueries> queries = WrkQueries.on(searchPath, installation.home());
        if (queries.isEmpty()) {
            throw new BenchException("wrk is not installed; Debian's package wrk brings it");
        }
        try (ScratchDirectory scratch = ScratchDirectory.below(parent)) {
            StackSettings settings =
                    StackSettings.of(scratch.path(), installation.home().resolve(CATALOG), StackPorts.free());
            try (LocalStack stack = LocalStack.startDisposable(installation, settings, probe);
                    IndexBuilder table = builders.tidemark(stack.writerUrl(), stack.workerUrl(), clock)) {
                LocalGrowingStack growing = new LocalGrowingStack(
                        stack, systems.tidemark(stack.writerUrl(), stack.workerUrl()), table, queries.get(), clock);
                return new GrowthRun(size, growing, machine, clock, progress).run();
            }
        }
    }
}
