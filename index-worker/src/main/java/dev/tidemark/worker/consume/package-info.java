/**
 * From Kafka to the shards: who reads, who applies, and how they keep each other's pace.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.consume.ChangeSource} (what is needed of a consumer), {@link
 * dev.tidemark.worker.consume.PollAgent} (thread {@code poll}, the only one to touch the source), {@link
 * dev.tidemark.worker.consume.ApplyAgent} (threads {@code apply-<n>}), {@link
 * dev.tidemark.worker.consume.TopicWatchAgent} (thread {@code topics}, which tables have their topic).
 *
 * <p>A source that throws is closed, every shard let go, and another source opened after a pause.
 */
@NullMarked
package dev.tidemark.worker.consume;

import org.jspecify.annotations.NullMarked;
