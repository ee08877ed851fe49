/**
 * What tests of the worker, here and in other modules, work with instead of disk, Kafka and clock.
 *
 * <p>{@link dev.tidemark.worker.testkit.InMemoryShardStores} keeps shards and can lose their newest commits, {@link
 * dev.tidemark.worker.testkit.SettableClock} stands still until told, {@link
 * dev.tidemark.worker.testkit.ChangeLog} is a partition.
 */
@NullMarked
package dev.tidemark.worker.testkit;

import org.jspecify.annotations.NullMarked;
