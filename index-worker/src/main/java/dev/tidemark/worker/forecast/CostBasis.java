package dev.tidemark.worker.forecast;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.worker.advise.CostMeter;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * What times are forecast from.
 *
 * @param perRow what applying one change of the table takes now, which is also what building takes a row
 * @param perEntry the part of it that one index entry has
 * @param text where the numbers come from, for people
 */
public record CostBasis(Duration perRow, Duration perEntry, String text) {
    private static final long USUAL_ROWS_PER_SECOND = 80_000;

    /** The basis for a table, from what this worker has measured and holds of it. */
    public static CostBasis of(CostMeter meter, Shards shards, DesiredTable table) {
        List<ShardCheckpoint> held = shards.checkpoints(table.definition());
        long rows = held.stream().mapToLong(ShardCheckpoint::liveRows).sum();
        long entries = held.stream()
                .flatMap(checkpoint -> checkpoint.generations().values().stream())
                .mapToLong(status -> status.tally().entries())
                .sum();
        return of(meter.perChange(table.name()), rows == 0 ? 1 : (double) entries / rows);
    }

    /**
     * The basis for a table.
     *
     * @param measured what applying a change takes, where that was measured
     * @param entriesPerRow index entries that a row of the table has now
     */
    public static CostBasis of(Optional<Duration> measured, double entriesPerRow) {
        double entries = Math.max(1, entriesPerRow);
        Duration perRow = measured.orElse(Duration.ofSeconds(1).dividedBy(USUAL_ROWS_PER_SECOND));
        Duration perEntry = Duration.ofNanos(Math.round(perRow.toNanos() / entries));
        String rate = String.format(
                Locale.ROOT,
                "%.1f µs a change with %.1f entries a row",
                perRow.toNanos() / 1e3,
                measured.isPresent() ? entries : 1.0);
        return measured.isPresent()
                ? new CostBasis(perRow, perEntry, rate + ", measured by this worker in its quicker large batches")
                : new CostBasis(
                        perRow, perRow, rate + ", as on a machine with two cores; this worker has measured none yet");
    }
}
