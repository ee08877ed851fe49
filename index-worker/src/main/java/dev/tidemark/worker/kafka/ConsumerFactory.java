package dev.tidemark.worker.kafka;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.jspecify.annotations.Nullable;

import dev.tidemark.worker.consume.ChangeSource;

/** Opens members of the consumer group, one at a time, and shows the metrics of the one in use. */
public final class ConsumerFactory implements Supplier<ChangeSource> {
    /** The client metrics that an operator looks at. */
    public static final List<String> SHOWN = List.of(
            "connection-count",
            "request-latency-avg",
            "request-rate",
            "incoming-byte-rate",
            "failed-authentication-total",
            "records-consumed-rate",
            "records-lag-max",
            "fetch-latency-avg",
            "rebalance-total");

    private final ConsumerSettings settings;
    private volatile @Nullable KafkaChangeSource current;

    public ConsumerFactory(ConsumerSettings settings) {
        this.settings = settings;
    }

    @Override
    public ChangeSource get() {
        KafkaChangeSource source = new KafkaChangeSource(settings);
        current = source;
        return source;
    }

    /** Metrics of the consumer in use; none before the first. */
    public Map<MetricName, ? extends Metric> metrics() {
        KafkaChangeSource source = current;
        return source == null ? Map.of() : source.metrics();
    }
}
