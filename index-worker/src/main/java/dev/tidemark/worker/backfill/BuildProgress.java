package dev.tidemark.worker.backfill;

import java.time.Duration;
import java.util.Optional;

/**
 * How far the building of a generation is, over the shards of this process.
 *
 * @param rowsDone rows of the table that the generation has been derived for
 * @param rowsTotal rows of the table
 * @param rowsPerSecond how fast it went in the last seconds; empty while that is not known
 */
public record BuildProgress(long rowsDone, long rowsTotal, Optional<Double> rowsPerSecond) {

    /** The remaining time at that speed; empty while the speed is unknown or zero. */
    public Optional<Duration> eta() {
        long left = Math.max(0, rowsTotal - rowsDone);
        return rowsPerSecond.filter(rate -> rate > 0).map(rate -> Duration.ofMillis(Math.round(left * 1e3 / rate)));
    }
}
