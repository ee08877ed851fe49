package dev.tidemark.deploy.probe;

import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * How often which number was seen. Smallest and largest are exact; the others are kept to three digits, so that days of
 * samples fit into a few thousand counters.
 */
public final class Distribution {
    private static final double DIGITS = 1_000;

    private final NavigableMap<Double, Long> counts = new TreeMap<>();
    private long count;
    private double least = Double.POSITIVE_INFINITY;
    private double most = Double.NEGATIVE_INFINITY;

    void add(double number) {
        counts.merge(rounded(number), 1L, Long::sum);
        count++;
        least = Math.min(least, number);
        most = Math.max(most, number);
    }

    /** The smallest number that is at least as large as that share of all; empty when there is none at all. */
    OptionalDouble quantile(double share) {
        long rank = Math.max(1, (long) Math.ceil(share * count));
        long passed = 0;
        for (Map.Entry<Double, Long> entry : counts.entrySet()) {
            passed += entry.getValue();
            if (passed >= rank) {
                return OptionalDouble.of(Math.max(least, Math.min(most, entry.getKey())));
            }
        }
        return OptionalDouble.empty();
    }

    DistributionSummary spread() {
        return new DistributionSummary(
                count,
                count == 0 ? OptionalDouble.empty() : OptionalDouble.of(least),
                quantile(0.5),
                quantile(0.99),
                count == 0 ? OptionalDouble.empty() : OptionalDouble.of(most));
    }

    private static double rounded(double number) {
        if (number == 0) {
            return 0;
        }
        double scale = Math.pow(10, Math.floor(Math.log10(Math.abs(number)))) / DIGITS * 10;
        return Math.rint(number / scale) * scale;
    }

    /**
     * A distribution in a few numbers, in seconds.
     *
     * @param count how many numbers; the others are empty when it is 0
     */
    public record DistributionSummary(
            long count, OptionalDouble min, OptionalDouble p50, OptionalDouble p99, OptionalDouble max) {
        ObjectNode json() {
            ObjectNode json = JsonNodeFactory.instance.objectNode().put("count", count);
            put(json, "min", min);
            put(json, "p50", p50);
            put(json, "p99", p99);
            put(json, "max", max);
            return json;
        }

        private static void put(ObjectNode json, String name, OptionalDouble number) {
            json.put(name, number.isPresent() ? Double.valueOf(number.getAsDouble()) : null);
        }
    }
}
