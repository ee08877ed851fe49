package dev.tidemark.deploy.bench;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

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

    /** One number of each round. */
    public static <T> RoundSpread of(List<T> rounds, ToDoubleFunction<T> number) {
        return of(rounds.stream().mapToDouble(number).boxed().toList());
    }

    /** The median with a unit, and the smallest and largest in parentheses. */
    public String text(DoubleFunction<String> number, String unit) {
        return number.apply(median) + unit + " (" + number.apply(min) + " to " + number.apply(max) + ")";
    }

    /**
     * The same for programs.
     *
     * @param unit the end of each member's name
     */
    public ObjectNode json(String unit) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("median" + unit, median)
                .put("min" + unit, min)
                .put("max" + unit, max);
    }
}
