package dev.tidemark.worker.shard;

import java.util.OptionalInt;

/**
 * Where to read a partition from.
 *
 * @param offset of the first record to read; 0 for the whole partition
 * @param leaderEpoch epoch of the last record read before it, which shows whether the log was truncated since
 */
public record StartPosition(long offset, OptionalInt leaderEpoch) {
    /** The first record that ever was in a partition. Where that is gone, nothing is read. */
    public static final StartPosition BEGINNING = new StartPosition(0, OptionalInt.empty());
}
