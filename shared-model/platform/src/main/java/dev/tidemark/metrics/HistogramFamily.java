package dev.tidemark.metrics;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;

/**
 * Histograms under one name.
 *
 * @param name as Prometheus shows it
 * @param help what is measured
 * @param series gives one for each set of labels that is there now; one histogram may stand in several
 */
public record HistogramFamily(String name, String help, Supplier<List<Series>> series) implements Collector {
    /** One histogram and its labels. */
    public record Series(Map<String, String> labels, BulkHistogram histogram) {
        public Series {
            labels = Map.copyOf(labels);
        }
    }

    @Override
    public MetricSnapshot collect() {
        HistogramSnapshot.Builder family =
                HistogramSnapshot.builder().name(name).help(help);
        for (Series one : series.get()) {
            BulkHistogram.Reading reading = one.histogram().read();
            family.dataPoint(HistogramDataPointSnapshot.builder()
                    .labels(labels(one.labels()))
                    .classicHistogramBuckets(reading.buckets())
                    .sum(reading.sum())
                    .build());
        }
        return family.build();
    }

    private static Labels labels(Map<String, String> labels) {
        Labels.Builder builder = Labels.builder();
        labels.forEach(builder::label);
        return builder.build();
    }
}
