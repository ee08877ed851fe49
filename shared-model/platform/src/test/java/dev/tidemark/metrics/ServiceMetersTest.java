package dev.tidemark.metrics;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import org.junit.jupiter.api.Test;

import dev.tidemark.runtime.GaugeValue;

import static org.assertj.core.api.Assertions.assertThat;

class ServiceMetersTest {
    private static final int SERIES = 20;
    private static final int SCRAPES = 200;

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

    @Test
    void scrapesAtTheSameTimeFindEachSeriesOnceAlthoughTheyReplaceThem() throws Exception {
        try (ServiceMeters meters = new ServiceMeters()) {
            MultiGauge ages = MultiGauge.builder("tidemark.test.age").register(meters.registry());
            Runnable refresh = () -> ages.register(
                    IntStream.range(0, SERIES)
                            .<MultiGauge.Row<?>>mapToObj(
                                    one -> MultiGauge.Row.of(Tags.of("index", Integer.toString(one)), () -> one))
                            .toList(),
                    true);
            Callable<List<Long>> scrapes = () -> IntStream.range(0, SCRAPES)
                    .mapToObj(unused -> meters.scrape(refresh)
                            .lines()
                            .filter(line -> line.startsWith("tidemark_test_age{"))
                            .count())
                    .toList();
            ExecutorService clients = Executors.newFixedThreadPool(2);
            try {
                for (Future<List<Long>> found : clients.invokeAll(List.of(scrapes, scrapes), 60, TimeUnit.SECONDS)) {
                    assertThat(found.get()).hasSize(SCRAPES).containsOnly((long) SERIES);
                }
            } finally {
                clients.shutdownNow();
            }
        }
    }
}
