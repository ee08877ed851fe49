package dev.tidemark.deploy.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.IndexBuilder.IndexShape;

/** Following a full topic with one index, and with more, in a separate stack for each number. */
public final class IndexesBenchmark {
    /** How many there can be, from 1. */
    static final int MOST_INDEXES = 8;

    private static final List<String> KEYS = List.of(
            "town, lastName",
            "lastName, town",
            "phone, town",
            "street, lastName",
            "firstName, phone",
            "change, town",
            "town, street",
            "active, phone");

    private IndexesBenchmark() {}

    /** The command and the measurement. */
    public static Benchmark benchmark() {
        return new Benchmark(
                "indexes",
                """
                Measures how fast a worker follows a full topic with one index and with more.
                The indexes project whole rows, and keys only.
                Each number of indexes has a stack of its own; a rate counts from the first change to the last.
                """,
                """

                Example:
                  tidemark bench indexes --quick
                """,
                false,
                List.of(
                        Arguments.flag("--quick", "One and four indexes, 100,000 changes, one round."),
                        Arguments.numbers("--indexes", "1,2,4,8", "Numbers of indexes, up to 8"),
                        Arguments.number("--changes", 1, "300000", "Changes in the topic, over 200,000 rows"),
                        Arguments.number("--rounds", 1, "3", "How often each is measured")),
                IndexesBenchmark::run);
    }

    private static Report run(Arguments arguments, Bench bench) throws Exception {
        List<Integer> numbers = arguments.get("--indexes", List.<Integer>of());
        if (numbers.stream().anyMatch(number -> number > MOST_INDEXES)) {
            throw arguments.wrong("expected --indexes of 1 to " + MOST_INDEXES + ", but got " + numbers);
        }
        numbers = arguments.quick() ? List.of(1, 4) : numbers;
        int changes = arguments.quick() ? 100_000 : arguments.number("--changes");
        int rounds = arguments.quick() ? 1 : arguments.number("--rounds");
        Map<IndexShape, SortedMap<Integer, RoundSpread>> rates = new EnumMap<>(IndexShape.class);
        for (IndexShape shape : IndexShape.values()) {
            SortedMap<Integer, RoundSpread> byNumber = new TreeMap<>();
            for (int indexes : numbers) {
                byNumber.put(indexes, rate(shape, indexes, changes, rounds, bench));
            }
            rates.put(shape, byNumber);
        }
        return report(bench.machine(), changes, rounds, rates);
    }

    private static RoundSpread rate(IndexShape shape, int indexes, int changes, int rounds, Bench bench)
            throws Exception {
        try (BenchStack stack = BenchStack.start(bench, catalog(shape, indexes), BenchStack::keepingRecords)) {
            StackWorker worker = StackWorker.behind(changes, stack);
            Contender tidemark = () -> {
                double rate = worker.follow(changes).perSecond();
                worker.end();
                return Map.of(Figure.FOLLOWED, rate);
            };
            String title = shape.projection() + ", " + indexes + " indexes";
            Map<String, Contender> alone = Map.of(Contender.TIDEMARK, tidemark);
            return Rounds.run(title, 0, rounds, alone, Figure::text, bench.progress())
                    .spread(Contender.TIDEMARK, Figure.FOLLOWED);
        }
    }

    /**
     * What each index that is added costs.
     *
     * @param rates changes a second by shape and number of indexes, of which one is the first
     */
    static Report report(
            Machine machine, int changes, int rounds, Map<IndexShape, SortedMap<Integer, RoundSpread>> rates) {
        List<List<String>> rows = new ArrayList<>();
        Report report = new Report("indexes", machine, machine.heading(changes, rounds));
        report.json().put("changes", changes).put("rounds", rounds);
        rates.forEach((shape, byNumber) -> {
            ObjectNode own = report.json().putObject(shape.projection());
            byNumber.forEach((indexes, rate) -> {
                own.set(indexes.toString(), rate.json("PerSecond"));
                rows.add(List.of(
                        shape.projection(),
                        indexes.toString(),
                        rate.text(Numbers::whole, ""),
                        Numbers.tenths(micros(rate)),
                        added(byNumber, indexes, rate)));
            });
        });
        report.table(List.of("projection", "indexes", "changes/s", "µs a change", "µs for each index added"), rows);
        return report;
    }

    /** The cost of each index beyond the first number of them; empty for the first. */
    private static String added(SortedMap<Integer, RoundSpread> byNumber, int indexes, RoundSpread rate) {
        int least = byNumber.firstKey();
        double more = micros(rate) - micros(byNumber.getOrDefault(least, rate));
        return indexes == least ? "" : Numbers.tenths(more / (indexes - least));
    }

    private static double micros(RoundSpread rate) {
        return 1e6 / rate.median();
    }

    /**
     * Returns the text of a catalog with a number of indexes of one shape; the first is that of the other benchmarks.
     */
    static String catalog(IndexShape shape, int indexes) {
        return "tables:\n" + table("customers", shape.projection(), indexes);
    }

    /**
     * Returns the text of a table of a catalog.
     *
     * @param projection of its indexes, and what else follows in their definitions
     */
    static String table(String table, String projection, int indexes) {
        StringBuilder yaml = new StringBuilder("""
                  %s:
                    primaryKey: customerId
                    partitions: 4
                    indexes:%s
                """.formatted(table, indexes == 0 ? " {}" : ""));
        for (int i = 0; i < indexes; i++) {
            String name = i == 0 ? "by_town_last_name" : "by_key_" + i;
            yaml.append("      ").append(name).append(": { key: [").append(KEYS.get(i));
            yaml.append("], projection: ").append(projection).append(" }\n");
        }
        return yaml.toString();
    }
}
