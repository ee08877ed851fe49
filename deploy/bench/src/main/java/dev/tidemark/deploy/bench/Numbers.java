package dev.tidemark.deploy.bench;

import java.util.Collection;
import java.util.Locale;

/** Numbers as cells of a report show them. */
public final class Numbers {
    private Numbers() {}

    /** Without a fraction, with commas between thousands. */
    public static String whole(double number) {
        return String.format(Locale.ROOT, "%,.0f", number);
    }

    /** With one decimal. */
    public static String tenths(double number) {
        return String.format(Locale.ROOT, "%.1f", number);
    }

    /** With two decimals. */
    public static String hundredths(double number) {
        return String.format(Locale.ROOT, "%.2f", number);
    }

    /** The smallest of some numbers that a share of them does not exceed. */
    static double quantile(Collection<? extends Number> numbers, double share) {
        double[] sorted =
                numbers.stream().mapToDouble(Number::doubleValue).sorted().toArray();
        return sorted[(int) Math.ceil(sorted.length * share) - 1];
    }

    /** Seconds as milliseconds. */
    public static String millis(RoundSpread seconds) {
        return seconds.text(number -> hundredths(number * 1e3), " ms");
    }
}
