package dev.tidemark.worker.query;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.worker.lag.HealthRule;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.ShardLag;

/**
 * Reports how recent an answer is, and what it may lack in spite of that.
 *
 * @param completeUpTo every change committed at or before it is in the answer, but for the rows and partitions below;
 *     empty when it is unknown
 * @param staleness time since then; empty when it is unknown
 * @param state health of the index
 * @param missingPartitions partitions whose rows are not in the answer, because this worker does not hold them, or
 *     builds them from nothing
 * @param quarantined rows that may be missing from the answer, or be in it with older values
 * @param refused number of rows that are not in the index, because it cannot hold them
 */
public record Freshness(
        Optional<Instant> completeUpTo,
        Optional<Duration> staleness,
        IndexHealth state,
        List<Integer> missingPartitions,
        Quarantined quarantined,
        long refused) {
    private static final List<IndexHealth> WORST_FIRST = List.of(
            IndexHealth.PAUSED,
            IndexHealth.DEGRADED,
            IndexHealth.RESTORING,
            IndexHealth.UNKNOWN,
            IndexHealth.CATCHING_UP,
            IndexHealth.STEADY);

    public Freshness {
        missingPartitions = List.copyOf(missingPartitions);
    }

    /** How recent what is read from these shards is; they must be all that the index has. */
    public static Freshness of(List<ShardLag> shards) {
        return of(shards, List.of(), Quarantined.NONE);
    }

    /** How recent what is read from these shards is, while others are missing and rows are quarantined. */
    static Freshness of(List<ShardLag> shards, List<Integer> missingPartitions, Quarantined quarantined) {
        return new Freshness(
                LagMeter.completeUpTo(shards),
                LagMeter.freshness(shards),
                lacking(HealthRule.of(shards), missingPartitions),
                missingPartitions,
                quarantined,
                0);
    }

    /**
     * The same of an index that is known to be wrong, or to lack rows that it cannot hold. Where its table is paused or
     * is read again, that stays its state.
     */
    Freshness degraded(long rowsRefused) {
        boolean known = state == IndexHealth.PAUSED || state == IndexHealth.RESTORING;
        return with(known ? state : IndexHealth.DEGRADED, quarantined, rowsRefused);
    }

    /**
     * The same of an index of which a missing partition is built from nothing. Where its table is paused, that stays
     * its state.
     */
    Freshness restoring() {
        return with(state == IndexHealth.PAUSED ? state : IndexHealth.RESTORING, quarantined, refused);
    }

    /** The same without the keys of quarantined rows, and the reasons that quote them. */
    public Freshness withoutQuarantinedRows() {
        return with(state, new Quarantined(quarantined.count(), List.of()), refused);
    }

    /** The same some time later, if nothing was applied meanwhile. */
    Freshness later(Duration time) {
        return new Freshness(completeUpTo, staleness.map(time::plus), state, missingPartitions, quarantined, refused);
    }

    /**
     * How recent an answer is that several workers have read: as the stalest of them, and in the worst state.
     *
     * @param missing partitions that none of them has read
     */
    static Freshness together(List<Freshness> parts, Collection<Integer> missing) {
        boolean known = parts.stream()
                .allMatch(part ->
                        part.completeUpTo().isPresent() && part.staleness().isPresent());
        List<Quarantined.Row> rows = parts.stream()
                .flatMap(part -> part.quarantined().rows().stream())
                .limit(Quarantined.NAMED_ROWS)
                .toList();
        List<Integer> lacking = Stream.concat(
                        parts.stream().flatMap(part -> part.missingPartitions().stream()), missing.stream())
                .distinct()
                .sorted()
                .toList();
        return new Freshness(
                parts.stream()
                        .flatMap(part -> part.completeUpTo().stream())
                        .min(Instant::compareTo)
                        .filter(time -> known),
                parts.stream()
                        .flatMap(part -> part.staleness().stream())
                        .max(Duration::compareTo)
                        .filter(age -> known),
                lacking(worst(parts.stream().map(Freshness::state).toList()), lacking),
                lacking,
                new Quarantined(
                        parts.stream()
                                .mapToLong(part -> part.quarantined().count())
                                .sum(),
                        rows),
                parts.stream().mapToLong(Freshness::refused).sum());
    }

    /** The state of an index of which parts are in some states; unknown without any. */
    public static IndexHealth worst(List<IndexHealth> parts) {
        return WORST_FIRST.stream().filter(parts::contains).findFirst().orElse(IndexHealth.UNKNOWN);
    }

    /** The state of an answer that lacks partitions: it follows not all of the writes. */
    private static IndexHealth lacking(IndexHealth state, List<Integer> missingPartitions) {
        boolean follows = state == IndexHealth.STEADY || state == IndexHealth.CATCHING_UP;
        return follows && !missingPartitions.isEmpty() ? IndexHealth.DEGRADED : state;
    }

    private Freshness with(IndexHealth health, Quarantined rows, long rowsRefused) {
        return new Freshness(completeUpTo, staleness, health, missingPartitions, rows, rowsRefused);
    }

    /**
     * Rows that could not be applied. Which values a row would have is not known, so it may be missing from any answer
     * of any index of its table.
     *
     * @param count how many there are
     * @param rows the first of them
     */
    public record Quarantined(long count, List<Row> rows) {
        /** Maximum number of quarantined rows that an answer names; the answer always includes their total number. */
        static final int NAMED_ROWS = 10;

        /** None. */
        public static final Quarantined NONE = new Quarantined(0, List.of());

        public Quarantined {
            rows = List.copyOf(rows);
        }

        /**
         * A quarantined row.
         *
         * @param key key of the record: the primary key, unless the record has an invalid key; cut to the maximum
         *     length of a primary key
         * @param reason why the record could not be applied
         */
        public record Row(KeyBytes key, int partition, String reason) {}
    }
}
