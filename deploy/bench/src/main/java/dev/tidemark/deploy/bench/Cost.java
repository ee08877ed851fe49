package dev.tidemark.deploy.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

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
        List<double[]> pairs = new ArrayList<>();
        try (LineProcess process = LineProcess.start(command, stack.directory().resolve("cost.log"))) {
            for (int round = 0; round < rounds; round++) {
                pairs.add(Stream.of(process.line().split(" ", -1))
                        .mapToDouble(Double::parseDouble)
                        .toArray());
            }
        }
        return new Cost(
                RoundSpread.of(pairs, pair -> pair[0]),
                RoundSpread.of(pairs, pair -> pair[1]),
                RoundSpread.of(pairs, pair -> pair[0] / pair[1]));
    }

    /** Nanoseconds as microseconds. */
    public static String micros(RoundSpread nanos) {
        return String.format(Locale.ROOT, "%.2f µs", nanos.median() / 1e3);
    }
}
