/**
 * Rehearsals: what wanted indexes would be like, forecast from a sample of the real change topic. Nothing is stored.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.plan.RehearsalDesk} (requests and results), {@link
 * dev.tidemark.worker.plan.RehearsalAgent} (works on them), {@link dev.tidemark.worker.plan.RowSample} (which rows),
 * {@link dev.tidemark.worker.plan.IndexForecaster} (rows to a forecast), {@link dev.tidemark.worker.plan.TopicReader}
 * (where rows come from).
 *
 * <p>The desk is for any thread; everything else belongs to the thread {@code plan}. Sample, forecast and counts are pure.
 * A topic that cannot be read, or brings nothing for long, fails the rehearsal and not the thread.
 */
@NullMarked
package dev.tidemark.worker.plan;

import org.jspecify.annotations.NullMarked;
