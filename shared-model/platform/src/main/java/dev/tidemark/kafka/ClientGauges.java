package dev.tidemark.kafka;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

import dev.tidemark.runtime.GaugeValue;

/** What a Kafka client says about itself, cut down to what an operator looks at. */
public final class ClientGauges {
    private static final Map<String, String> SHOWN = Map.ofEntries(
            Map.entry("connection-count", "Open connections to brokers."),
            Map.entry("request-latency-avg", "Mean request latency in milliseconds."),
            Map.entry("request-rate", "Requests a second."),
            Map.entry("incoming-byte-rate", "Bytes a second read from brokers."),
            Map.entry("outgoing-byte-rate", "Bytes a second sent to brokers."),
            Map.entry("failed-authentication-total", "Failed authentications."),
            Map.entry("record-send-rate", "Records a second sent."),
            Map.entry("record-error-rate", "Records a second that failed to be sent."),
            Map.entry("record-retry-rate", "Records a second sent again."),
            Map.entry("buffer-available-bytes", "Bytes free in the send buffer."),
            Map.entry("records-consumed-rate", "Records a second consumed."),
            Map.entry("records-lag-max", "Most records behind over all partitions, as the consumer sees it."),
            Map.entry("fetch-latency-avg", "Mean fetch latency in milliseconds."),
            Map.entry("rebalance-total", "Rebalances of the consumer group."));

    private static final Set<String> GROUPS = Set.of(
            "producer-metrics", "consumer-metrics", "consumer-fetch-manager-metrics", "consumer-coordinator-metrics");

    private ClientGauges() {}

    /**
     * The readings of one kind of client.
     *
     * @param role names the client in the reading: producer, consumer
     * @param metrics gives the metrics of the client in use at the moment
     * @param names which of the client's metrics to show
     */
    public static List<GaugeValue> of(
            String role, Supplier<Map<MetricName, ? extends Metric>> metrics, List<String> names) {
        return names.stream()
                .map(name -> new GaugeValue(
                        "kafka." + role + "." + reading(name),
                        SHOWN.getOrDefault(name, "Kafka client metric " + name + "."),
                        () -> value(metrics.get(), name)))
                .toList();
    }

    /** Prometheus keeps the ending "count" for histograms: connection-count is connections. */
    private static String reading(String name) {
        return name.replaceFirst("-count$", "s").replace('-', '.').toLowerCase(Locale.ROOT);
    }

    private static double value(Map<MetricName, ? extends Metric> metrics, String name) {
        return metrics.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(name)
                        && GROUPS.contains(entry.getKey().group())
                        && !entry.getKey().tags().containsKey("topic"))
                .map(entry -> entry.getValue().metricValue())
                .filter(Number.class::isInstance)
                .mapToDouble(number -> ((Number) number).doubleValue())
                .findFirst()
                .orElse(Double.NaN);
    }
}
