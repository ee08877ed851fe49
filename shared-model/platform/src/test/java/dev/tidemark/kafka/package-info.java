/** Tests of what Kafka clients say about themselves. */
@NullMarked
package dev.tidemark.kafka;

import org.jspecify.annotations.NullMarked;
