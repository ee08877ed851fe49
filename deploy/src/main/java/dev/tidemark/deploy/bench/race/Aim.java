package dev.tidemark.deploy.bench.race;

import java.util.Locale;

/**
 * What a figure has to reach.
 *
 * @param ratio of Tidemark's median to the peer's
 * @param atLeast whether more is better; else the ratio is at most that
 * @param most Tidemark's own median is at most this, in the unit of the figure; infinite for no such bound
 */
public record Aim(double ratio, boolean atLeast, double most) {

    /** More is better. */
    public static Aim atLeast(double ratio) {
        return new Aim(ratio, true, Double.POSITIVE_INFINITY);
    }

    /** Less is better. */
    public static Aim atMost(double ratio) {
        return new Aim(ratio, false, Double.POSITIVE_INFINITY);
    }

    /** Less is better, and it is to be no more than that whatever the peer takes. */
    public Aim within(double bound) {
        return new Aim(ratio, atLeast, bound);
    }

    /** Whether both are reached. */
    public boolean met(double found, double own) {
        return (atLeast ? found >= ratio : found <= ratio) && own <= most;
    }

    /** Like "at least 0.7", or "at most 1.0, within 2.0 s". */
    public String text(String unit) {
        String first = String.format(Locale.ROOT, "%s %.1f", atLeast ? "at least" : "at most", ratio);
        return most == Double.POSITIVE_INFINITY
                ? first
                : first + String.format(Locale.ROOT, ", within %.1f %s", most, unit);
    }
}
