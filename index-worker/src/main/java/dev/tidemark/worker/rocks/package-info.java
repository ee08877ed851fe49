/**
 * Shards on RocksDB: a directory and a database each, so that one can be dropped, rebuilt or shipped alone.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.rocks.RocksShardStores}, {@link
 * dev.tidemark.worker.rocks.RocksShardStore} (tables and their layout), {@link dev.tidemark.cache.RowCache} (what need
 * not be looked up), then the codecs. Writes are not synced: after a
 * power cut the shard is at an earlier batch and reads the rest from Kafka again.
 *
 * <p>Failures of RocksDB become the exceptions that {@link dev.tidemark.worker.store} names.
 */
@NullMarked
package dev.tidemark.worker.rocks;

import org.jspecify.annotations.NullMarked;
