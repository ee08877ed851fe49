package dev.tidemark.deploy.probe;

import java.time.Duration;

/**
 * What to watch and how closely.
 *
 * @param table to write into
 * @param index to ask; empty for the first index of the table
 * @param interval between two writes of one row and between two samples of one source; at least 10 ms. Shorter finds
 *     more and costs more
 * @param tolerance how much too small a claim may be: one sampling period of the services
 */
public record ProbeSettings(String table, String index, Duration interval, Duration tolerance) {
    /** The table that is watched when no other is named. */
    public static final String TABLE = "canary";

    /** Usual interval, and usual tolerance. */
    public static final Duration INTERVAL = Duration.ofMillis(100);

    private static final Duration LEAST_INTERVAL = Duration.ofMillis(10);

    public ProbeSettings {
        if (interval.compareTo(LEAST_INTERVAL) < 0 || tolerance.isNegative()) {
            throw new IllegalArgumentException("Expected an interval of at least 10 ms and a tolerance of at least 0,"
                    + " but got " + interval + " and " + tolerance);
        }
    }

    /** The usual table, interval and tolerance. */
    public static ProbeSettings usual() {
        return new ProbeSettings(TABLE, "", INTERVAL, INTERVAL);
    }
}
