/**
 * Kafka as the log behind the outbox.
 *
 * <p>Read in this order: {@link dev.tidemark.writer.kafka.KafkaClientSettings} (what order and durability rest on),
 * {@link dev.tidemark.writer.kafka.KafkaEventPublisher}, {@link dev.tidemark.writer.kafka.KafkaChangeTopics},
 * {@link dev.tidemark.writer.kafka.KafkaWorkerProgressReader}, {@link dev.tidemark.writer.kafka.KafkaDefinitionLog}.
 *
 * <p>Thread rules are those of the ports. What Kafka throws leaves as the checked exception of the port.
 */
@NullMarked
package dev.tidemark.writer.kafka;

import org.jspecify.annotations.NullMarked;
