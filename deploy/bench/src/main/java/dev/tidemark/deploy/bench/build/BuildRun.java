package dev.tidemark.deploy.bench.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CopyCost;
import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.RoundSpread;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.ScratchDirectory;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;

/** Starts a stack and a separate PostgreSQL, runs the benchmark of builds, and deletes their data. */
public final class BuildRun {
    private static final Path CATALOG = Path.of("deploy", "bench", "scripts", "catalog.yaml");

    private final ReadinessProbe probe;
    private final Builders builders;
    private final Clock clock;
    private final Consumer<String> progress;

    /** @param progress receives each finished step, as one line */
    public BuildRun(ReadinessProbe probe, Builders builders, Clock clock, Consumer<String> progress) {
        this.probe = probe;
        this.builders = builders;
        this.clock = clock;
        this.progress = progress;
    }

    /**
     * Runs it all.
     *
     * @param parent where to make the temporary directory; its disk is the one that is synced
     */
    public BuildReport run(int rows, int rounds, Path parent)
            throws BenchException, StackException, IOException, InterruptedException {
        Machine machine = Machine.here(clock);
        Installation installation = Installation.locate().requireBuilt();
        try (ScratchDirectory scratch = ScratchDirectory.below(parent)) {
            // PostgreSQL may run under another account, which has to get at its own directory in here.
            Files.setPosixFilePermissions(scratch.path(), PosixFilePermissions.fromString("rwx--x--x"));
            StackSettings settings =
                    StackSettings.of(scratch.path(), installation.home().resolve(CATALOG), StackPorts.free());
            Map<IndexShape, Map<String, RoundSpread>> seconds = run(installation, settings, rows, rounds);
            progress.accept("measuring what a row costs, with nothing else running");
            CopyCost cost = CopyCost.measure(installation, settings.catalog(), scratch.path(), rounds);
            return new BuildReport(machine, rows, rounds, seconds, cost);
        }
    }

    private Map<IndexShape, Map<String, RoundSpread>> run(
            Installation installation, StackSettings settings, int rows, int rounds)
            throws BenchException, StackException, IOException, InterruptedException {
        List<IndexBuilder> contestants = new ArrayList<>();
        try (LocalStack stack = LocalStack.startDisposable(installation, settings, probe)) {
            contestants.add(builders.tidemark(stack.writerUrl(), stack.workerUrl(), clock));
            Optional<IndexBuilder> postgres = builders.postgres(settings.data(), clock);
            postgres.ifPresentOrElse(
                    contestants::add, () -> progress.accept("PostgreSQL is not installed: its rows are left out"));
            return new BuildBench(contestants, progress).run(rows, rounds);
        } finally {
            contestants.forEach(IndexBuilder::close);
        }
    }
}
