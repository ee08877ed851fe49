/**
 * The fact tables, the outbox and what goes with them in one RocksDB database, so that one write batch can change all
 * of them together.
 *
 * <p>Read in this order: {@link dev.tidemark.writer.rocks.WriterDatabase} (its tables; format and catalog are checked
 * when it opens), {@link dev.tidemark.writer.rocks.RocksFactStore}, {@link dev.tidemark.writer.rocks.RocksOutbox},
 * {@link dev.tidemark.writer.rocks.RocksDefinitionStore}.
 *
 * <p>Commits are synced. The marks of the relay are not: one that is lost in a power cut makes it publish again. Thread
 * rules are those of the ports; failures are {@link dev.tidemark.rocks.StoreException}s.
 */
@NullMarked
package dev.tidemark.writer.rocks;

import org.jspecify.annotations.NullMarked;
