/**
 * The process that is the local stack's broker: {@link dev.tidemark.broker.kafka.LocalBrokerMain} makes its directory
 * usable on first use, then runs Kafka itself. Nothing else may depend on this package; the stack starts it as a child.
 *
 * <p>Threads: Kafka's own, and one that watches for the end of the parent. What fails is reported on standard error and
 * ends the process with code 1.
 */
@NullMarked
package dev.tidemark.broker.kafka;

import org.jspecify.annotations.NullMarked;
