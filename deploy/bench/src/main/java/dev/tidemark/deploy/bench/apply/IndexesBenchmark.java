package dev.tidemark.deploy.bench.apply;

import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.deploy.bench.Arguments;
import dev.tidemark.deploy.bench.Bench;
import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.BenchStack;
import dev.tidemark.deploy.bench.Benchmark;
import dev.tidemark.deploy.bench.Contender;
import dev.tidemark.deploy.bench.IndexShape;
import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.Numbers;
import dev.tidemark.deploy.bench.Report;
import dev.tidemark.deploy.bench.RoundSpread;
import dev.tidemark.deploy.bench.Rounds;
import dev.tidemark.deploy.bench.Setting;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackException;

/** Following a full topic with one index, and with more, in a separate stack for each number. */
public final class IndexesBenchmark {
    private IndexesBenchmark() {}

    /** The command and the measurement. */
    public static Benchmark benchmark() {
        return new Benchmark(
                "indexes",
                """
                Measures how fast a worker follows a full topic with one index and with more, whole rows and keys only.
                Each number of indexes has a stack of its own; a rate counts from the first change to the last.
                """,
                """

                Example:
                  tidemark bench indexes --quick
                """,
                false,
                List.of(
                        Setting.quick("One and four indexes, 100,000 changes, one round."),
                        Setting.numbers("--indexes", "1,2,4,8", "Numbers of indexes, up to 8"),
                        Setting.number("--changes", "300000", "Changes in the topic, over 200,000 rows"),
                        Setting.number("--rounds", "3", "How often each is measured")),
                IndexesBenchmark::prepare);
    }

    private static Benchmark.Measurement prepare(Arguments arguments) {
        List<Integer> numbers = arguments.numbers("--indexes");
        int changes = arguments.number("--changes", 0);
        int rounds = arguments.number("--rounds", 0);
        Arguments.requirePositive("--changes and --rounds", changes, rounds);
        if (numbers.stream().anyMatch(number -> number < 1 || number > IndexCatalog.MOST)) {
            throw new IllegalArgumentException(
                    "expected --indexes of 1 to " + IndexCatalog.MOST + ", but got " + numbers);
        }
        return arguments.quick()
                ? bench -> run(List.of(1, 4), 100_000, 1, bench)
                : bench -> run(numbers, changes, rounds, bench);
    }

    private static Report run(List<Integer> numbers, int changes, int rounds, Bench bench)
            throws BenchException, StackException, IOException, InterruptedException {
        Machine machine = Machine.here(bench.clock());
        Map<IndexShape, SortedMap<Integer, RoundSpread>> rates = new EnumMap<>(IndexShape.class);
        for (IndexShape shape : IndexShape.values()) {
            SortedMap<Integer, RoundSpread> byNumber = new TreeMap<>();
            for (int indexes : numbers) {
                byNumber.put(indexes, rate(shape, indexes, changes, rounds, bench));
            }
            rates.put(shape, byNumber);
        }
        return new IndexesReport(machine, changes, rounds, rates).report();
    }

    private static RoundSpread rate(IndexShape shape, int indexes, int changes, int rounds, Bench bench)
            throws BenchException, StackException, IOException, InterruptedException {
        Map<Role, Map<String, String>> settings = Map.of(Role.BROKER, BenchStack.FULL_TOPICS);
        try (BenchStack stack = BenchStack.start(bench, IndexCatalog.of(shape, indexes), settings)) {
            StackWorker worker = StackWorker.behind(changes, stack);
            Contender<Double> tidemark = new Contender<>(
                    Contender.TIDEMARK, () -> worker.followAndEnd(changes).perSecond());
            String title = shape.projection() + ", " + indexes + " indexes";
            Map<String, List<Double>> rates = new Rounds(title, 0, rounds, Rounds.Order.FIXED, bench.progress())
                    .run(List.of(tidemark), rate -> Numbers.whole(rate) + " changes/s");
            return RoundSpread.of(rates.getOrDefault(tidemark.name(), List.of()));
        }
    }
}
