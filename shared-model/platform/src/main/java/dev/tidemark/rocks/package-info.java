/**
 * RocksDB with the sharp edges covered: handles close in order, nothing is used after it is closed, failures name what
 * was tried.
 *
 * <p>Read in this order: {@link dev.tidemark.rocks.RocksResources} (what databases of one process share),
 * {@link dev.tidemark.rocks.RocksDatabase}, {@link dev.tidemark.rocks.RocksBatch} (and
 * {@link dev.tidemark.rocks.PackedBatch} for many changes at once), {@link dev.tidemark.rocks.RocksView}
 * and {@link dev.tidemark.rocks.RocksScan} (consistent reads). No event listener is ever registered: with one, RocksDB
 * does not recover from a full disk by itself.
 *
 * <p>{@code RocksDatabase} is for any thread; a batch, a view and a scan belong to the thread that opened them. Every
 * failure is a {@link dev.tidemark.rocks.StoreException}; after {@code close} every use throws
 * {@link dev.tidemark.rocks.StoreClosedException}.
 */
@NullMarked
package dev.tidemark.rocks;

import org.jspecify.annotations.NullMarked;
