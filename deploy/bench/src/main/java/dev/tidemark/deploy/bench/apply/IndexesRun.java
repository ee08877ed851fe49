package dev.tidemark.deploy.bench.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.MeasuredSystems;
import dev.tidemark.deploy.bench.RoundSpread;
import dev.tidemark.deploy.bench.build.Builders;
import dev.tidemark.deploy.bench.build.IndexShape;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.ScratchDirectory;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;

/** Lets a worker follow a full topic with one index, and with more, in a separate stack for each number. */
public final class IndexesRun {
    private final ReadinessProbe probe;
    private final MeasuredSystems systems;
    private final Builders builders;
    private final Clock clock;
    private final Consumer<String> progress;

    /** @param progress receives each finished step, as one line */
    public IndexesRun(
            ReadinessProbe probe, MeasuredSystems systems, Builders builders, Clock clock, Consumer<String> progress) {
        this.probe = probe;
        this.systems = systems;
        this.builders = builders;
        this.clock = clock;
        this.progress = progress;
    }

    /**
     * Runs it all.
     *
     * @param numbers of indexes, each from 1 to 8
     * @param parent where to make temporary directories
     */
    public IndexesReport run(List<Integer> numbers, int changes, int rounds, Path parent)
            throws BenchException, StackException, IOException, InterruptedException {
        Machine machine = Machine.here(clock);
        Map<IndexShape, SortedMap<Integer, RoundSpread>> rates = new EnumMap<>(IndexShape.class);
        for (IndexShape shape : IndexShape.values()) {
            SortedMap<Integer, RoundSpread> byNumber = new TreeMap<>();
            for (int indexes : numbers) {
                byNumber.put(indexes, rounds(IndexCatalog.of(shape, indexes), changes, rounds, parent));
                progress.accept(String.format(
                        Locale.ROOT,
                        "%s, %d indexes: %,.0f changes/s",
                        shape.projection(),
                        indexes,
                        byNumber.get(indexes).median()));
            }
            rates.put(shape, byNumber);
        }
        return new IndexesReport(machine, changes, rounds, rates);
    }

    private RoundSpread rounds(String catalog, int changes, int rounds, Path parent)
            throws BenchException, StackException, IOException, InterruptedException {
        Installation installation = Installation.locate().requireBuilt();
        try (ScratchDirectory scratch = ScratchDirectory.below(parent)) {
            Path file = Files.writeString(scratch.path().resolve("catalog.yaml"), catalog);
            StackSettings settings = StackSettings.of(scratch.path(), file, StackPorts.free())
                    .with(Role.BROKER, "log.cleaner.enable", "false");
            try (LocalStack stack = LocalStack.startDisposable(installation, settings, probe)) {
                StackWorker worker = new TopicFiller(systems, builders, clock).fill(stack, changes);
                TopicIndexer tidemark = new TidemarkIndexer(changes, worker, clock);
                List<Double> rates = new ArrayList<>();
                for (int round = 0; round < rounds; round++) {
                    rates.add(tidemark.follow(scratch.path()).perSecond());
                    worker.end(Role.WORKER);
                }
                return RoundSpread.of(rates);
            }
        }
    }
}
