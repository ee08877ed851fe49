/**
 * Kafka as the worker uses it: a consumer behind {@link dev.tidemark.worker.consume.ChangeSource}, and an admin client
 * behind what is asked about topics.
 *
 * <p>{@link dev.tidemark.worker.kafka.KafkaChangeSource} belongs to the poll thread;
 * {@link dev.tidemark.worker.kafka.KafkaTopics} is for any; {@link dev.tidemark.worker.kafka.KafkaBackfillSource}
 * belongs to the thread {@code backfill} or {@code forecast}; {@link dev.tidemark.worker.kafka.KafkaDefinitionSource}
 * belongs to the thread {@code definitions}. The settings are in {@link dev.tidemark.worker.kafka.ConsumerSettings}.
 */
@NullMarked
package dev.tidemark.worker.kafka;

import org.jspecify.annotations.NullMarked;
