package dev.tidemark.worker.backfill;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;

import dev.tidemark.worker.apply.PolledBatches;
import dev.tidemark.worker.store.ShardId;

/**
 * Reads partitions of change topics once more, for a build or a forecast, from offsets of the caller's choice and
 * outside of any consumer group. Belongs to one thread.
 */
public interface BackfillSource extends AutoCloseable {
    /** Reads these partitions from these offsets on, and no others. */
    void read(Map<ShardId, Long> from);

    /** Reads on in partitions that rested, and lets the others rest. */
    void rest(Collection<ShardId> resting);

    /**
     * Waits for records, for at most {@code patience}.
     *
     * @param bytes about how many bytes of records to take at most; one record may be more
     * @throws RuntimeException when nothing can be read through this source any more; another one may
     */
    PolledBatches poll(Duration patience, long bytes);

    /**
     * The first offset of a partition that can be read.
     *
     * @throws RuntimeException when the brokers do not answer in time
     */
    long startOffset(ShardId shard);

    /**
     * The first offset of a partition that is not written yet.
     *
     * @throws RuntimeException when the brokers do not answer in time
     */
    long endOffset(ShardId shard);

    @Override
    void close();
}
