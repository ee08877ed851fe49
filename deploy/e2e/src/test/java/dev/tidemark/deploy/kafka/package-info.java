/** The local broker, tested with Kafka's own clients. */
@NullMarked
package dev.tidemark.deploy.kafka;

import org.jspecify.annotations.NullMarked;
