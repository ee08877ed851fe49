/**
 * The index worker: {@link dev.tidemark.worker.WorkerMain} wires it, {@link dev.tidemark.worker.WorkerConfig} defines
 * its settings.
 *
 * <p>Read on in the order of the data: {@code consume} (Kafka to mailboxes), {@code apply} (records to mutations),
 * {@code store} (what a shard stores), {@code shard} (opening and closing of shards), {@code query} (answers),
 * {@code lag} (how far behind). {@code rocks}, {@code kafka}, {@code http} and {@code metrics} are adapters, one
 * technology each.
 */
@NullMarked
package dev.tidemark.worker;

import org.jspecify.annotations.NullMarked;
