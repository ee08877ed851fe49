/** How {@code tidemark doctor} looks at a Kafka cluster. {@link dev.tidemark.deploy.doctor.kafka.KafkaExaminer}. */
@NullMarked
package dev.tidemark.deploy.doctor.kafka;

import org.jspecify.annotations.NullMarked;
