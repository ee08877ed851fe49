/**
 * Building an index over a table that is there already, beside {@code CREATE INDEX CONCURRENTLY} of PostgreSQL.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.bench.build.IndexShape} (what is built),
 * {@link dev.tidemark.deploy.bench.build.IndexBuilder} (who builds it),
 * {@link dev.tidemark.deploy.bench.build.BuildBench} (rounds in turn),
 * {@link dev.tidemark.deploy.bench.build.BuildReport} (medians and ratios).
 *
 * <p>One thread. A build that does not end in time fails the benchmark: a number from it would mean nothing.
 */
@NullMarked
package dev.tidemark.deploy.bench.build;

import org.jspecify.annotations.NullMarked;
