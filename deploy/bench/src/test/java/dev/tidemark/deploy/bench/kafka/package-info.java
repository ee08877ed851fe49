/** Tests of what benchmarks do with RocksDB. */
@NullMarked
package dev.tidemark.deploy.bench.kafka;

import org.jspecify.annotations.NullMarked;
