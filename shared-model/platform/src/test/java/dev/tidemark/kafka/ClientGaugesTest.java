package dev.tidemark.kafka;

import java.util.List;
import java.util.Map;

import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.junit.jupiter.api.Test;

import dev.tidemark.runtime.GaugeValue;

import static org.assertj.core.api.Assertions.assertThat;

final class ClientGaugesTest {
    @Test
    void namesReadingsTheWayPrometheusWouldLikeThem() {
        assertThat(ClientGauges.of("consumer", Map::of, List.of("connection-count", "records-lag-max")))
                .extracting(GaugeValue::name)
                .containsExactly("kafka.consumer.connections", "kafka.consumer.records.lag.max");
    }

    @Test
    void readsTheFigureOfTheWholeClient() {
        Map<MetricName, Metric> metrics = Map.of(
                name("records-consumed-rate", Map.of("client-id", "c", "topic", "t")), metric(1.0),
                name("records-consumed-rate", Map.of("client-id", "c")), metric(7.0));

        assertThat(ClientGauges.of("consumer", () -> metrics, List.of("records-consumed-rate")))
                .singleElement()
                .satisfies(reading -> assertThat(reading.value().getAsDouble()).isEqualTo(7));
    }

    @Test
    void isNotANumberWhileThereIsNoClient() {
        assertThat(ClientGauges.of("consumer", Map::of, List.of("records-lag-max")))
                .singleElement()
                .satisfies(reading -> assertThat(reading.value().getAsDouble()).isNaN());
    }

    private static MetricName name(String name, Map<String, String> tags) {
        return new MetricName(name, "consumer-fetch-manager-metrics", "", tags);
    }

    private static Metric metric(double value) {
        return new Metric() {
            @Override
            public MetricName metricName() {
                throw new UnsupportedOperationException("The name is the key of the map");
            }

            @Override
            public Object metricValue() {
                return value;
            }
        };
    }
}
