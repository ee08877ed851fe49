/** Tests of what benchmarks do with RocksDB. */
@NullMarked
package dev.tidemark.deploy.bench.rocks;

import org.jspecify.annotations.NullMarked;
