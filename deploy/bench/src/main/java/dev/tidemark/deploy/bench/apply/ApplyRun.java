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
import java.util.function.Consumer;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.MeasuredSystems;
import dev.tidemark.deploy.bench.RoundSpread;
import dev.tidemark.deploy.bench.build.Builders;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.ScratchDirectory;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;

/** Fills a topic through a separate writer, lets each follower read it in turn, and deletes all data. */
public final class ApplyRun {
    private static final Path CATALOG = Path.of("deploy", "bench", "scripts", "catalog.yaml");

    private final ReadinessProbe probe;
    private final MeasuredSystems systems;
    private final Builders builders;
    private final BaselineCommands commands;
    private final Clock clock;
    private final Consumer<String> progress;

    /** @param progress receives each finished step, as one line */
    public ApplyRun(
            ReadinessProbe probe,
            MeasuredSystems systems,
            Builders builders,
            BaselineCommands commands,
            Clock clock,
            Consumer<String> progress) {
        this.probe = probe;
        this.systems = systems;
        this.builders = builders;
        this.commands = commands;
        this.clock = clock;
        this.progress = progress;
    }

    /**
     * Runs it all.
     *
     * @param changes in the topic, over 200,000 rows
     * @param parent where to make the temporary directory
     */
    public ApplyReport run(int changes, int rounds, Path parent)
            throws BenchException, StackException, IOException, InterruptedException {
        Machine machine = Machine.here(clock);
        Installation installation = Installation.locate().requireBuilt();
        try (ScratchDirectory scratch = ScratchDirectory.below(parent)) {
            // Compaction would make the topic shorter from one round to the next.
            StackSettings settings = StackSettings.of(
                            scratch.path(), installation.home().resolve(CATALOG), StackPorts.free())
                    .with(Role.BROKER, "log.cleaner.enable", "false");
            try (LocalStack stack = LocalStack.startDisposable(installation, settings, probe)) {
                StackWorker worker = new TopicFiller(systems, builders, clock).fill(stack, changes);
                progress.accept(String.format(Locale.ROOT, "%,d changes are in the topic", changes));
                return rounds(machine, installation, stack, worker, changes, rounds);
            }
        }
    }

    private ApplyReport rounds(
            Machine machine, Installation installation, LocalStack stack, StackWorker worker, int changes, int rounds)
            throws BenchException, IOException, InterruptedException {
        TopicIndexer tidemark = new TidemarkIndexer(changes, worker, clock);
        Map<ApplyBaseline, List<Double>> rivals = new EnumMap<>(ApplyBaseline.class);
        List<Double> own = new ArrayList<>();
        DiskMeter disk = new DiskMeter(changes);
        for (int round = 1; round <= rounds; round++) {
            own.add(tell(
                    round,
                    rounds,
                    "Tidemark",
                    tidemark.follow(stack.settings().data()).perSecond()));
            disk.look(stack.settings().directory(Role.WORKER), worker.io());
            worker.end(Role.WORKER);
            for (ApplyBaseline baseline : commands.available(installation)) {
                Path directory = Files.createDirectory(stack.settings().data().resolve(baseline.name() + "-" + round));
                TopicIndexer follower = new ProcessIndexer(
                        changes,
                        clock,
                        scratch -> commands.of(baseline, installation, stack.bootstrapServers(), scratch));
                rivals.computeIfAbsent(baseline, other -> new ArrayList<>())
                        .add(tell(
                                round,
                                rounds,
                                baseline.label(),
                                follower.follow(directory).perSecond()));
            }
        }
        Map<ApplyBaseline, RoundSpread> spreads = new EnumMap<>(ApplyBaseline.class);
        rivals.forEach((baseline, rates) -> spreads.put(baseline, RoundSpread.of(rates)));
        return new ApplyReport(machine, changes, rounds, RoundSpread.of(own), spreads, disk.found());
    }

    private double tell(int round, int rounds, String name, double rate) {
        progress.accept(String.format(Locale.ROOT, "round %d of %d: %s, %,.0f changes/s", round, rounds, name, rate));
        return rate;
    }
}
