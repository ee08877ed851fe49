/**
 * Scenarios: Tidemark and one baseline do the same work in turn, and the result is a ratio of medians.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.bench.scenario.Scenario} (what there is to measure),
 * {@link dev.tidemark.deploy.bench.scenario.Figure} (what comes out),
 * {@link dev.tidemark.deploy.bench.scenario.Suite} (where both systems come from),
 * {@link dev.tidemark.deploy.bench.scenario.ScenarioBenchmark} (from a new stack to the report).
 *
 * <p>One thread. A round in which anything failed fails the benchmark, because its figure would mean nothing. The
 * report names what is not installed and was left out.
 */
@NullMarked
package dev.tidemark.deploy.bench.scenario;

import org.jspecify.annotations.NullMarked;
