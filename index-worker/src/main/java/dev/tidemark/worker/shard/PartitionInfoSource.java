package dev.tidemark.worker.shard;

import java.time.Duration;
import java.util.Optional;

import dev.tidemark.worker.store.ShardId;

/** What is to be known of a shard's partition before it is read. Called by apply threads; may block for seconds. */
public interface PartitionInfoSource {
    /**
     * Asks the brokers.
     *
     * @throws RuntimeException when they do not answer in time, or there is no such partition
     */
    PartitionInfo ask(ShardId shard);

    /**
     * A partition.
     *
     * @param topicId identity of the topic
     * @param startOffset the first offset that can be read; above 0 once records were deleted (retention, or by hand),
     *     which compaction never does
     * @param endOffset the first offset that is not written yet
     * @param deleteRetention how long the topic keeps tombstones; empty when the brokers do not report it
     * @param compactionLag minimum age of a record before compaction; empty when the brokers do not report it
     */
    record PartitionInfo(
            String topicId,
            long startOffset,
            long endOffset,
            Optional<Duration> deleteRetention,
            Optional<Duration> compactionLag) {}
}
