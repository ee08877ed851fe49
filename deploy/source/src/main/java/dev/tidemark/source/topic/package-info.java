/**
 * Existing topics of Debezium to batches of the writer. {@link dev.tidemark.source.topic.TopicFollower} decides where
 * to begin and when a watermark is proven, {@link dev.tidemark.source.topic.TopicFeeder} turns records into batches,
 * {@link dev.tidemark.source.topic.Envelope} reads a record, {@link dev.tidemark.source.topic.Tombstones} those without
 * a value. Port: {@link dev.tidemark.source.topic.Topics}.
 *
 * <p>One thread has all of it.
 */
@NullMarked
package dev.tidemark.source.topic;

import org.jspecify.annotations.NullMarked;
