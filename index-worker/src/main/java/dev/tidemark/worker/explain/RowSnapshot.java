package dev.tidemark.worker.explain;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.Generation;
import dev.tidemark.progress.Progress;
import dev.tidemark.worker.lag.ShardLag;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RowState;

/**
 * What one shard shows of one row, at one moment.
 *
 * @param row the row state; empty when the shard has none
 * @param quarantined the record of the row that is in quarantine
 * @param lag the progress of the shard, as a lower bound: the snapshot includes everything that it covers
 * @param eta the time in which the shard applies all records that wait in its partition; empty when none are known to
 *     wait, or the time is unknown
 */
public record RowSnapshot(
        Optional<RowState> row, Optional<QuarantinedRecord> quarantined, ShardLag lag, Optional<Duration> eta) {

    /**
     * What several shards show of a row together: its newest state with the entries that it has in each, and no more
     * progress than every one of them has made.
     *
     * @param shards at least one
     */
    static RowSnapshot together(List<RowSnapshot> shards) {
        RowSnapshot least = shards.stream()
                .min(Comparator.comparing(shard -> shard.progress().through()))
                .orElseThrow();
        List<RowState> states =
                shards.stream().flatMap(shard -> shard.row().stream()).toList();
        return new RowSnapshot(
                states.stream().reduce(RowState::together),
                shards.stream().flatMap(shard -> shard.quarantined().stream()).findFirst(),
                least.lag(),
                least.eta());
    }

    /** The same with another state of the row. */
    RowSnapshot with(RowState state) {
        return new RowSnapshot(Optional.of(state), quarantined, lag, eta);
    }

    /** The generation of an index that answers for it here: the newest that may; empty while none may. */
    public Optional<Generation> serving(DesiredIndex index) {
        return lag.status()
                .flatMap(status -> index.generations().stream()
                        .filter(generation -> status.checkpoint().serves(generation.id()))
                        .findFirst());
    }

    /** The same; where none may because the shard is built from nothing, the newest that will. */
    public Optional<Generation> servingOrRestoring(DesiredIndex index) {
        return serving(index)
                .or(() -> index.generations().stream()
                        .filter(generation -> isRestoring(generation.id()))
                        .findFirst());
    }

    /** Whether a generation cannot answer here because the shard is built from nothing. */
    public boolean isRestoring(long generation) {
        return lag.status()
                .filter(status -> status.checkpoint().isRestoring(generation))
                .isPresent();
    }

    public Progress progress() {
        return lag.status().map(status -> status.checkpoint().progress()).orElse(Progress.UNKNOWN);
    }
}
