package dev.tidemark.worker.store;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;

import dev.tidemark.progress.Progress;

/**
 * How far a shard is, written together with what it says has been applied.
 *
 * @param nextOffset the first offset that is not applied
 * @param leaderEpoch the partition leader's epoch of the last record applied, which tells a truncated log
 * @param progress what readers may be told; stays behind while a shard catches up
 * @param lastCaughtUp when the shard last had everything there was; {@link Instant#MIN} for never
 * @param entries entries in each index, in the order of the table's indexes
 * @param quarantined quarantined records
 */
public record ShardCheckpoint(
        long nextOffset,
        OptionalInt leaderEpoch,
        Progress progress,
        Instant lastCaughtUp,
        List<Long> entries,
        long quarantined) {
    public ShardCheckpoint {
        entries = List.copyOf(entries);
    }

    /** A shard that has applied nothing. */
    public static ShardCheckpoint empty(int indexes) {
        return new ShardCheckpoint(
                0, OptionalInt.empty(), Progress.UNKNOWN, Instant.MIN, Collections.nCopies(indexes, 0L), 0);
    }

    /** The same, with another time of having had everything. */
    public ShardCheckpoint caughtUpAt(Instant time) {
        return new ShardCheckpoint(nextOffset, leaderEpoch, progress, time, entries, quarantined);
    }

    /** The same, with another number of quarantined records. */
    public ShardCheckpoint withQuarantined(long records) {
        return records == quarantined
                ? this
                : new ShardCheckpoint(nextOffset, leaderEpoch, progress, lastCaughtUp, entries, records);
    }
}
