/**
 * Forecasts of wanted indexes, from a sample of the real change topic. Nothing is stored.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.forecast.ForecastJobs} (requests and results),
 * {@link dev.tidemark.worker.forecast.ForecastAgent} (works on them), {@link dev.tidemark.worker.forecast.RowSample}
 * (which rows), {@link dev.tidemark.worker.forecast.IndexForecaster} (rows to a forecast; those of a global index to
 * records, too). Rows come from a {@link dev.tidemark.worker.backfill.BackfillSource}.
 *
 * <p>{@code ForecastJobs} is for any thread; everything else belongs to the thread {@code forecast}. Sample, forecast
 * and counts are pure. A topic that cannot be read, or returns nothing for a long time, fails the forecast and not the
 * thread.
 */
@NullMarked
package dev.tidemark.worker.forecast;

import org.jspecify.annotations.NullMarked;
