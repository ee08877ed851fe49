package dev.tidemark.worker.explain;

import java.time.Duration;
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
 * @param row what is known of the row; empty when nothing is
 * @param quarantined the record of the row that is in quarantine
 * @param lag how far the shard is at least; whatever that includes was there to be read
 * @param eta what the shard takes for all that waits in its partition; empty when nothing is known to wait, or that
 *     cannot be told
 */
public record RowSnapshot(
        Optional<RowState> row, Optional<QuarantinedRecord> quarantined, ShardLag lag, Optional<Duration> eta) {

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
