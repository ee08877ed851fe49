/** What both services do the same way with Kafka clients. Stateless. */
@NullMarked
package dev.tidemark.kafka;

import org.jspecify.annotations.NullMarked;
