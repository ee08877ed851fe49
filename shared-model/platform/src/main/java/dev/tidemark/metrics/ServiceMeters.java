package dev.tidemark.metrics;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import dev.tidemark.runtime.GaugeValue;

/** Owns the registry of one service. Each component with meters receives it as a parameter; it is never static. */
public final class ServiceMeters implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbageCollection = new JvmGcMetrics();

    /** Kept here, because a counter holds what it reads weakly. */
    private final Queue<GaugeValue> counted = new ConcurrentLinkedQueue<>();

    public ServiceMeters() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        garbageCollection.bindTo(registry);
    }

    public MeterRegistry registry() {
        return registry;
    }

    /** Shows readings as gauges. Prometheus keeps the ending {@code total} for counters, so those are counters. */
    public void show(List<GaugeValue> readings) {
        for (GaugeValue reading : readings) {
            String name = "tidemark." + reading.name();
            if (name.endsWith(".total")) {
                counted.add(reading);
                FunctionCounter.builder(name, reading, known -> known.value().getAsDouble())
                        .description(reading.description())
                        .register(registry);
            } else {
                Gauge.builder(name, () -> reading.value().getAsDouble())
                        .description(reading.description())
                        .register(registry);
            }
        }
    }

    /** Shows histograms that are kept outside the registry. */
    public void show(HistogramFamily histograms) {
        registry.getPrometheusRegistry().register(histograms);
    }

    /** All meters in Prometheus' text format. */
    public String scrape() {
        return scrape(() -> {});
    }

    /**
     * The same, brought up to date before. One scrape at a time: another one would find a meter that is being replaced
     * twice, or not at all.
     *
     * @param refresh adds, replaces and removes meters
     */
    public synchronized String scrape(Runnable refresh) {
        refresh.run();
        return registry.scrape();
    }

    @Override
    public void close() {
        garbageCollection.close();
        registry.close();
    }
}
