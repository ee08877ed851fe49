/**
 * How fast an index follows: from a full topic to caught up, beside what people would use instead.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.bench.apply.TopicIndexer} (who follows),
 * {@link dev.tidemark.deploy.bench.apply.ApplyBenchmark} (all of them in turn),
 * {@link dev.tidemark.deploy.bench.apply.ApplyReport} (medians and ratios). The baselines of this project are
 * {@link dev.tidemark.deploy.bench.apply.PlainLoop} and
 * {@link dev.tidemark.deploy.bench.apply.StoreAlone}, over the ports {@link dev.tidemark.deploy.bench.apply.RecordFeed}
 * and {@link dev.tidemark.deploy.bench.apply.EntryTable}.
 *
 * <p>One thread. A follower that does not catch up in time fails the benchmark: a number from it would mean nothing.
 */
@NullMarked
package dev.tidemark.deploy.bench.apply;

import org.jspecify.annotations.NullMarked;
