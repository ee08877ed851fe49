package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.tidemark.deploy.stack.StackException;

/**
 * The values of a benchmark's settings.
 *
 * @param values an Integer, a list of them, a Duration or a Boolean by the first name of the setting
 */
public record Arguments(Map<String, Object> values) {
    public Arguments {
        values = Map.copyOf(values);
    }

    /** Whether the run is to be small. */
    public boolean quick() {
        return Boolean.TRUE.equals(values.get(Setting.QUICK));
    }

    /** A number; the other one where the option is missing. */
    public int number(String name, int otherwise) {
        return values.get(name) instanceof Integer number ? number : otherwise;
    }

    /** The numbers of a setting in their order; none where the option is missing. */
    public List<Integer> numbers(String name) {
        List<Integer> numbers = new ArrayList<>();
        if (values.get(name) instanceof List<?> given) {
            given.forEach(each -> numbers.add((Integer) each));
        }
        return numbers;
    }

    /** A duration; the other one where the option is missing. */
    public Duration time(String name, Duration otherwise) {
        return values.get(name) instanceof Duration time ? time : otherwise;
    }

    /** The measurement of a benchmark with {@link Setting#OF_TABLE}. */
    public Benchmark.Measurement overTable(TableMeasurement measurement) {
        int rows = number("--rows", 0);
        int rounds = number("--rounds", 0);
        requirePositive("--rows and --rounds", rows, rounds);
        return bench -> measurement.run(rows, rounds, bench);
    }

    /** A measurement over one table. */
    @FunctionalInterface
    public interface TableMeasurement {
        /** Runs all rounds over a table with that number of rows. */
        Report run(int rows, int rounds, Bench bench)
                throws BenchException, StackException, IOException, InterruptedException;
    }

    /**
     * Refuses a number below 1.
     *
     * @throws IllegalArgumentException names the settings and their values
     */
    public static void requirePositive(String names, Integer... numbers) {
        for (int number : numbers) {
            if (number < 1) {
                throw new IllegalArgumentException("expected " + names + " of at least 1, but got " + List.of(numbers));
            }
        }
    }
}
