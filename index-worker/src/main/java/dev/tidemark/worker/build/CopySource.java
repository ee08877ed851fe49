package dev.tidemark.worker.build;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;

import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.store.ShardId;

/**
 * Reads partitions from offsets of the caller's choice, outside of any consumer group. Belongs to one thread. Where the
 * records at an offset are gone, reading goes on at the next there is.
 */
public interface CopySource extends AutoCloseable {
    /** Reads these partitions from these offsets on, and no others. */
    void read(Map<ShardId, Long> from);

    /** Reads on in partitions that rested, and lets the others rest. */
    void rest(Collection<ShardId> resting);

    /**
     * Waits so long for records.
     *
     * @return the next piece of each partition that has one
     * @throws RuntimeException when the brokers do not play along; another source may
     */
    Map<ShardId, ChangeBatch> poll(Duration patience);

    /**
     * The first offset of a partition that is not written yet.
     *
     * @throws RuntimeException when the brokers do not answer in time
     */
    long endOffset(ShardId shard);

    @Override
    void close();
}
