package dev.tidemark.api;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How far the indexes are behind. A value that the worker does not know is null, never zero.
 *
 * @param indexes in the order of the catalog
 */
public record LagReport(List<TableLag> tables, List<IndexLag> indexes) {
    /**
     * How fast a table changes, in records a second.
     *
     * @param arrivalPerSecond published
     * @param appliedPerSecond applied to the indexes
     */
    public record TableLag(
            String table,
            @Nullable Double arrivalPerSecond,
            @Nullable Double appliedPerSecond) {}

    /**
     * One index.
     *
     * @param state steady, catching_up, restoring, degraded, paused or unknown
     * @param freshnessSeconds upper bound on how old an answer can be
     * @param recordsBehind changes published and not applied
     * @param oldestUnappliedSeconds age of the oldest of them
     * @param etaSeconds time until it has caught up; null when it is not late, or the time is unknown
     * @param gainsNothing whether one of its partitions is late and known not to gain; false of a worker that does not
     *     report it
     * @param entries how many it holds
     * @param quarantined rows left out because their change could not be applied
     * @param visibility commit to queryable
     */
    public record IndexLag(
            String index,
            String table,
            String state,
            @Nullable Double freshnessSeconds,
            @Nullable Long recordsBehind,
            @Nullable Double oldestUnappliedSeconds,
            @Nullable Double etaSeconds,
            boolean gainsNothing,
            long entries,
            long quarantined,
            Visibility visibility) {
        /** Whether everything published is applied and the freshness is below that bound. */
        public boolean isCaughtUp(double seconds) {
            return recordsBehind != null
                    && recordsBehind == 0
                    && freshnessSeconds != null
                    && freshnessSeconds < seconds;
        }
    }

    /**
     * Commit-to-queryable times of an index.
     *
     * @param count changes measured
     */
    public record Visibility(
            long count,
            @Nullable Double p50Seconds,
            @Nullable Double p99Seconds) {}

    /** How fast the table of an index changes. */
    public TableLag tableOf(IndexLag index) {
        return tables.stream()
                .filter(one -> one.table().equals(index.table()))
                .findFirst()
                .orElse(new TableLag(index.table(), null, null));
    }

    /** The same of the indexes of one table. */
    public LagReport of(String table) {
        return new LagReport(
                tables,
                indexes.stream().filter(index -> index.table().equals(table)).toList());
    }
}
