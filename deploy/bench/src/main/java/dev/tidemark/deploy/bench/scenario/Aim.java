package dev.tidemark.deploy.bench.scenario;

import java.util.Locale;

/**
 * What a figure has to reach.
 *
 * @param ratio of Tidemark's median to the peer's; infinite for no such bound
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

    /** Less is better, and it is to be no more than that; the ratio only tells. */
    public static Aim within(double bound) {
        return atMost(Double.POSITIVE_INFINITY).andWithin(bound);
    }

    /** Less is better, and it is to be no more than that whatever the peer takes. */
    public Aim andWithin(double bound) {
        return new Aim(ratio, atLeast, bound);
    }

    /** Whether both are reached. */
    public boolean met(double found, double own) {
        return (atLeast ? found >= ratio : found <= ratio) && own <= most;
    }

    /** How far a figure got, where 1 is the aim and more is better. */
    public double share(double found, double own) {
        if (Double.isInfinite(ratio)) {
            return most / own;
        }
        return atLeast ? found / ratio : ratio / found;
    }

    /** Like "at least 0.7", or "at most 1.0, within 2.0 s". */
    public String text(String unit) {
        String within = String.format(Locale.ROOT, "within %.1f %s", most, unit);
        if (Double.isInfinite(ratio)) {
            return within;
        }
        String first = String.format(Locale.ROOT, "%s %.1f", atLeast ? "at least" : "at most", ratio);
        return most == Double.POSITIVE_INFINITY ? first : first + ", " + within;
    }
}
