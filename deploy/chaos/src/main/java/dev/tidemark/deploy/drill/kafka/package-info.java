/**
 * Change topics, written behind the services' backs: {@link dev.tidemark.deploy.drill.kafka.KafkaTamper}. For one
 * thread. Clients are made for each call, so that a broker that was killed between two calls does no harm.
 */
@NullMarked
package dev.tidemark.deploy.drill.kafka;

import org.jspecify.annotations.NullMarked;
