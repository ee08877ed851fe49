/**
 * RocksDB for the baselines of benchmarks: {@link dev.tidemark.deploy.bench.rocks.RocksEntryTable}, for one thread. An
 * error is thrown.
 */
@NullMarked
package dev.tidemark.deploy.bench.rocks;

import org.jspecify.annotations.NullMarked;
