/**
 * Advice that improves indexes: facts that are counted while the worker runs, and rules that read them.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.advise.AdviceRules} (facts to advice, pure),
 * {@link dev.tidemark.worker.advise.IndexFacts} (what they read), {@link dev.tidemark.worker.advise.DistinctKeyScan}
 * (distinct and heavy values of an index), {@link dev.tidemark.worker.advise.Advisor} (collects the facts).
 * {@code UsageMeter} and {@code CostMeter} own the counters. Heavy keys are counted by {@link
 * dev.tidemark.worker.advise.SpaceSaving} in a {@code KeySketch} for each index and shard, and put together as
 * {@link dev.tidemark.worker.advise.HeavyKeys}.
 *
 * <p>Counters are for any thread and begin at zero with the process. The walk runs on the thread that requests the
 * report. Shards that are not open are left out, and the report says so.
 */
@NullMarked
package dev.tidemark.worker.advise;

import org.jspecify.annotations.NullMarked;
