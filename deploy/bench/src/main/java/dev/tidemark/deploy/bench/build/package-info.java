/**
 * Benchmarks over a table that is there: {@link dev.tidemark.deploy.bench.build.BuildBenchmark} builds an index, beside
 * {@code CREATE INDEX CONCURRENTLY} of PostgreSQL, and {@link dev.tidemark.deploy.bench.build.VerifyBenchmark} compares
 * an index with its table.
 *
 * <p>One thread. A build or a verification that does not end in time fails the benchmark, because its figure would mean
 * nothing.
 */
@NullMarked
package dev.tidemark.deploy.bench.build;

import org.jspecify.annotations.NullMarked;
