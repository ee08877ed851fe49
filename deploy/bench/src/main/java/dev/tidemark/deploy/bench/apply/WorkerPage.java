package dev.tidemark.deploy.bench.apply;

import java.util.Map;

import dev.tidemark.deploy.probe.MetricText;

/**
 * The progress of a worker on its metrics page.
 *
 * @param applied how many changes it has applied since it began
 * @param reading whether it has had records from the topic
 */
record WorkerPage(long applied, boolean reading) {
    static WorkerPage of(String page) {
        double applied = sum(page, "tidemark_events_applied_total");
        return new WorkerPage(
                (long) applied, applied > 0 || sum(page, "tidemark_kafka_consumer_records_consumed_rate") > 0);
    }

    private static double sum(String page, String metric) {
        return MetricText.samples(page, metric, Map.of()).stream()
                .flatMapToDouble(sample -> sample.value().stream())
                .sum();
    }
}
