package dev.tidemark.deploy.bench;

import java.util.Arrays;
import java.util.Collection;

/**
 * One number, measured in several rounds.
 *
 * @param median the middle one; of an even number of rounds the mean of the two in the middle
 */
public record RoundSpread(double median, double min, double max) {

    /** Of at least one round. */
    public static RoundSpread of(Collection<Double> rounds) {
        double[] sorted =
                rounds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (sorted.length == 0 || Arrays.stream(sorted).anyMatch(Double::isNaN)) {
            throw new IllegalArgumentException("Expected numbers of rounds, but got " + rounds);
        }
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new RoundSpread(median, sorted[0], sorted[sorted.length - 1]);
    }
}
