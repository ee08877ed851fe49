/**
 * RocksDB for the peers of benchmarks: {@link dev.tidemark.deploy.bench.rocks.RocksEntryTable}, for one thread. What
 * fails is thrown.
 */
@NullMarked
package dev.tidemark.deploy.bench.rocks;

import org.jspecify.annotations.NullMarked;
