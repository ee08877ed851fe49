/**
 * What becomes of a worker as its table grows, and as time goes by: how fast it follows, how late it answers, how much memory it
 * has.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.bench.growth.GrowthRun} (what is done), {@link
 * dev.tidemark.deploy.bench.growth.GrowingStack} (to whom), {@link dev.tidemark.deploy.bench.growth.GrowthReport} (what came of
 * it). {@link dev.tidemark.deploy.bench.growth.LocalGrowingStack} is a stack on this machine.
 *
 * <p>One thread. What fails ends the benchmark.
 */
@NullMarked
package dev.tidemark.deploy.bench.growth;

import org.jspecify.annotations.NullMarked;
