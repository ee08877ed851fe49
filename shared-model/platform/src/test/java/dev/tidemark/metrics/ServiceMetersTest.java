package dev.tidemark.metrics;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import dev.tidemark.runtime.GaugeValue;

import static org.assertj.core.api.Assertions.assertThat;

class ServiceMetersTest {
    @Test
    void aReadingKeepsItsNameAlsoWhereThatEndsWithTotal() {
        AtomicReference<Double> rebalances = new AtomicReference<>(Double.NaN);
        try (ServiceMeters meters = new ServiceMeters()) {
            meters.show(List.of(
                    new GaugeValue("kafka.consumer.rebalance.total", "Rebalances.", rebalances::get),
                    new GaugeValue("kafka.consumer.connections", "Connections.", () -> 2)));
            assertThat(meters.scrape())
                    .contains("tidemark_kafka_consumer_rebalance_total NaN", "tidemark_kafka_consumer_connections 2.0");

            rebalances.set(3.0);
            assertThat(meters.scrape())
                    .contains(
                            "# TYPE tidemark_kafka_consumer_rebalance_total counter",
                            "tidemark_kafka_consumer_rebalance_total 3.0");
        }
    }
}
