/**
 * Measures a worker as its table grows, and over time: how fast it follows, how late it answers, how much memory it
 * has.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.bench.growth.GrowthRun} (the steps), {@link
 * dev.tidemark.deploy.bench.growth.GrowingStack} (the stack under test), {@link
 * dev.tidemark.deploy.bench.growth.GrowthReport} (the results). {@link
 * dev.tidemark.deploy.bench.growth.LocalGrowingStack} is a stack on this machine.
 *
 * <p>One thread. What fails ends the benchmark.
 */
@NullMarked
package dev.tidemark.deploy.bench.growth;

import org.jspecify.annotations.NullMarked;
