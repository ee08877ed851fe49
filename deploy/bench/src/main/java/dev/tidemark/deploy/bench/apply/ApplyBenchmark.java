package dev.tidemark.deploy.bench.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.tidemark.deploy.bench.Arguments;
import dev.tidemark.deploy.bench.Bench;
import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.BenchStack;
import dev.tidemark.deploy.bench.Benchmark;
import dev.tidemark.deploy.bench.Contender;
import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.Numbers;
import dev.tidemark.deploy.bench.Report;
import dev.tidemark.deploy.bench.RoundSpread;
import dev.tidemark.deploy.bench.Rounds;
import dev.tidemark.deploy.bench.Setting;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackException;

/** Following a full topic, beside Kafka Streams, a plain loop and RocksDB alone. */
public final class ApplyBenchmark {
    private ApplyBenchmark() {}

    /**
     * The command and the measurement.
     *
     * @param commands start the baselines
     */
    public static Benchmark benchmark(BaselineCommands commands) {
        return new Benchmark(
                "apply",
                """
                Measures how fast an index follows a topic that is full, from nothing to caught up.
                Everybody makes the same index from the same topic, in turn, each in a process of its own: an index on \
                town and last name that carries the whole row.
                """,
                """

                A rate counts from the first change to the last; the start of the process is not in it.

                Example:
                  tidemark bench apply --quick
                """,
                false,
                List.of(
                        Setting.quick("200,000 changes, two rounds; ratios are less certain."),
                        Setting.number("--changes", "1000000", "Changes in the topic, over 200,000 rows"),
                        Setting.number("--rounds", "5", "How often each follows")),
                arguments -> prepare(arguments, commands));
    }

    private static Benchmark.Measurement prepare(Arguments arguments, BaselineCommands commands) {
        int changes = arguments.number("--changes", 0);
        int rounds = arguments.number("--rounds", 0);
        Arguments.requirePositive("--changes and --rounds", changes, rounds);
        return arguments.quick()
                ? bench -> run(200_000, 2, commands, bench)
                : bench -> run(changes, rounds, commands, bench);
    }

    private static Report run(int changes, int rounds, BaselineCommands commands, Bench bench)
            throws BenchException, StackException, IOException, InterruptedException {
        Machine machine = Machine.here(bench.clock());
        try (BenchStack stack = BenchStack.start(bench, "", Map.of(Role.BROKER, BenchStack.FULL_TOPICS))) {
            StackWorker worker = StackWorker.behind(changes, stack);
            bench.progress().accept(Numbers.whole(changes) + " changes are in the topic");
            DiskMeter disk = new DiskMeter(changes);
            List<Contender<Double>> contenders = new ArrayList<>();
            contenders.add(new Contender<>(Contender.TIDEMARK, () -> {
                double rate = worker.follow(changes).perSecond();
                disk.look(stack.services().settings().directory(Role.WORKER), worker.reported("io"));
                worker.end();
                return rate;
            }));
            for (ApplyBaseline baseline : commands.available(stack.installation())) {
                TopicIndexer indexer = commands.indexer(baseline, changes, stack);
                contenders.add(new Contender<>(
                        baseline.label(),
                        () -> indexer.follow(Files.createTempDirectory(stack.directory(), baseline.name() + "-"))
                                .perSecond()));
            }
            Map<String, RoundSpread> found = new Rounds("apply", 0, rounds, Rounds.Order.FIXED, bench.progress())
                    .spreads(contenders, rate -> Numbers.whole(rate) + " changes/s");
            return new ApplyReport(machine, changes, rounds, found, disk.found()).report();
        }
    }
}
