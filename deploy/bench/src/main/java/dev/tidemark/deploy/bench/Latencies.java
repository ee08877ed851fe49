package dev.tidemark.deploy.bench;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * How many latencies were at most how long: a histogram as Prometheus has it. Both systems are read through the
 * same bounds, so that what a bound rounds, it rounds for both.
 */
public final class Latencies {
    private final NavigableMap<Double, Long> upTo;

    private Latencies(NavigableMap<Double, Long> upTo) {
        this.upTo = upTo;
    }

    /**
     * Counted already.
     *
     * @param upTo by upper bound in seconds, how many were at most that long; infinity must be among the bounds
     */
    public static Latencies cumulative(Map<Double, Long> upTo) {
        if (!upTo.containsKey(Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("Expected a histogram with a last bound of +Inf, but got " + upTo);
        }
        return new Latencies(new TreeMap<>(upTo));
    }

    /** Counts single latencies, in microseconds, into the bounds of another histogram. */
    public static Latencies count(long[] micros, Latencies like) {
        NavigableMap<Double, Long> upTo = new TreeMap<>();
        like.upTo.keySet().forEach(bound -> upTo.put(bound, 0L));
        for (long each : micros) {
            upTo.merge(upTo.ceilingKey(each / 1e6), 1L, Long::sum);
        }
        long sum = 0;
        for (Map.Entry<Double, Long> entry : upTo.entrySet()) {
            sum += entry.getValue();
            entry.setValue(sum);
        }
        return new Latencies(upTo);
    }

    /** What came after an earlier reading of the same histogram. */
    public Latencies since(Latencies earlier) {
        NavigableMap<Double, Long> later = new TreeMap<>();
        upTo.forEach((bound, count) -> later.put(bound, count - earlier.upTo.getOrDefault(bound, 0L)));
        return new Latencies(later);
    }

    public long count() {
        return upTo.lastEntry().getValue();
    }

    /**
     * The latency in seconds below which that share lies; within a bucket they are taken to be spread evenly. NaN when
     * there are none, the last finite bound when it is beyond that.
     */
    public double quantile(double share) {
        double rank = share * count();
        double lower = 0;
        long before = 0;
        for (Map.Entry<Double, Long> entry : upTo.entrySet()) {
            if (entry.getValue() >= rank && entry.getValue() > before) {
                double upper = entry.getKey();
                double part = (rank - before) / (entry.getValue() - before);
                return Double.isInfinite(upper) ? lower : lower + (upper - lower) * part;
            }
            lower = entry.getKey();
            before = entry.getValue();
        }
        return Double.NaN;
    }
}
