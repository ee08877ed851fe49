package dev.tidemark.deploy.bench;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

import dev.tidemark.deploy.probe.MetricText;

/**
 * The way of changes on the worker's metrics page; there is one table with one index.
 *
 * @param counts all changes that went through a stage
 * @param seconds the time that they took together in it
 */
record MetricsPage(Latencies visibility, Map<String, Double> counts, Map<String, Double> seconds) {
    static MetricsPage parse(String text) {
        Map<Double, Long> upTo = new HashMap<>();
        for (MetricText.Sample sample : MetricText.samples(text, "tidemark_visibility_seconds_bucket", Map.of())) {
            String bound = sample.labels().getOrDefault("le", "+Inf");
            upTo.put(bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound), (long)
                    sample.value().orElse(0));
        }
        return new MetricsPage(
                Latencies.cumulative(upTo),
                byStage(text, "tidemark_stage_seconds_count"),
                byStage(text, "tidemark_stage_seconds_sum"));
    }

    private static Map<String, Double> byStage(String text, String metric) {
        Map<String, Double> sums = new TreeMap<>();
        MetricText.samples(text, metric, Map.of())
                .forEach(sample -> sums.merge(
                        sample.labels().getOrDefault("stage", ""),
                        sample.value().orElse(0),
                        Double::sum));
        return sums;
    }

    /** Mean seconds in each stage of the changes since an earlier page. */
    Map<String, Double> stageMeansSince(MetricsPage earlier) {
        Map<String, Double> means = new TreeMap<>();
        counts.forEach((stage, now) -> {
            double count = now - earlier.counts.getOrDefault(stage, 0.0);
            double took = seconds.getOrDefault(stage, 0.0) - earlier.seconds.getOrDefault(stage, 0.0);
            if (count > 0) {
                means.put(stage, took / count);
            }
        });
        return means;
    }
}
