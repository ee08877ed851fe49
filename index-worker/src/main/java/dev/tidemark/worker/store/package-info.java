/**
 * What a shard keeps: index entries, row states, quarantined records, and how far it has read, one store per partition.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.store.ShardStore} and {@link dev.tidemark.worker.store.ShardBatch}
 * (writing), {@link dev.tidemark.worker.store.RowState} (what is known of a row),
 * {@link dev.tidemark.worker.store.ShardCheckpoint} (how far), {@link dev.tidemark.worker.store.ShardView} (reading),
 * {@link dev.tidemark.worker.store.ShardStores} (opening and dropping),
 * {@link dev.tidemark.worker.store.ShardFiles} (copying).
 *
 * <p>A store is written by one thread at a time and read by any. Implementations throw
 * {@link dev.tidemark.worker.store.ShardClosedException} after closing, {@link
 * dev.tidemark.worker.store.ShardDamagedException} when only a rebuild helps, and another runtime exception when a
 * retry may.
 */
@NullMarked
package dev.tidemark.worker.store;

import org.jspecify.annotations.NullMarked;
