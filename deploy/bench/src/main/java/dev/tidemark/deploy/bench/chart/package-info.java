/**
 * What a report of benchmarks shows besides its tables: a picture of how far each aim was reached.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.bench.chart.AimResult} (one row of a table), {@link
 * dev.tidemark.deploy.bench.chart.Aims} (all that a report has), {@link dev.tidemark.deploy.bench.chart.AimChart} (the picture) and
 * {@link dev.tidemark.deploy.bench.chart.ReportFile} (both files). One thread; errors are those of files.
 */
@NullMarked
package dev.tidemark.deploy.bench.chart;

import org.jspecify.annotations.NullMarked;
