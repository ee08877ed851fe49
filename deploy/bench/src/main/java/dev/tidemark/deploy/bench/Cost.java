package dev.tidemark.deploy.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What two ways of the same work cost: nanoseconds of processor time for a change or a row, in one thread.
 *
 * @param ratio of the first to the second in the same round
 */
public record Cost(RoundSpread first, RoundSpread second, RoundSpread ratio) {
    /** The ways that are compared. */
    public enum Work {
        /** Applying changes with the worker's listeners, which time and count, and without. */
        WATCH,
        /** Building an index over rows that are there, and applying the rows with the index. */
        COPY
    }

    private record Pair(double first, double second) {}

    /** Measures in a separate process that has the worker's settings; its errors go to a file in the directory. */
    public static Cost measure(Work work, BenchStack stack, int rounds) throws Exception {
        List<String> command = LineProcess.java(
                stack.installation(),
                List.of("-Xms64m", "-Xmx512m"),
                CostMain.class.getName(),
                work.name(),
                stack.catalog().toString(),
                stack.directory().toString(),
                Integer.toString(rounds));
        List<Pair> pairs = new ArrayList<>();
        try (LineProcess process = LineProcess.start(command, stack.directory().resolve("cost.log"))) {
            for (int round = 0; round < rounds; round++) {
                String[] costs = process.line().split(" ", -1);
                pairs.add(new Pair(Double.parseDouble(costs[0]), Double.parseDouble(costs[1])));
            }
        }
        return new Cost(
                RoundSpread.of(pairs, Pair::first),
                RoundSpread.of(pairs, Pair::second),
                RoundSpread.of(pairs, pair -> pair.first() / pair.second()));
    }

    /** Nanoseconds as microseconds. */
    public static String micros(RoundSpread nanos) {
        return String.format(Locale.ROOT, "%.2f µs", nanos.median() / 1e3);
    }
}
