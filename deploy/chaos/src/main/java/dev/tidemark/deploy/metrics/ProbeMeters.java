package dev.tidemark.deploy.metrics;

import java.util.function.Supplier;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;

import dev.tidemark.deploy.probe.ProbeReport;
import dev.tidemark.deploy.probe.Source;
import dev.tidemark.metrics.ServiceMeters;

/** What a running prober has found, as metrics. For any thread. */
public final class ProbeMeters implements AutoCloseable {
    private final ServiceMeters meters = new ServiceMeters();
    private volatile ProbeReport latest;

    private final Supplier<ProbeReport> reports;

    /**
     * The meters of one prober.
     *
     * @param reports what it has found so far; asked at each scrape
     */
    public ProbeMeters(Supplier<ProbeReport> reports) {
        this.reports = reports;
        this.latest = reports.get();
        Tags watched = Tags.of("table", latest.table(), "index", indexOf(latest));
        for (Source source : Source.values()) {
            Tags tags = watched.and("source", source.label());
            FunctionCounter.builder(
                            "tidemark.probe.samples",
                            this,
                            probe -> probe.latest.source(source).claims())
                    .description("Numbers that the source gave, unknown included.")
                    .tags(tags)
                    .register(meters.registry());
            FunctionCounter.builder(
                            "tidemark.probe.underreports",
                            this,
                            probe -> probe.latest.source(source).underReported())
                    .description("Numbers of the source that were smaller than the real staleness by more than one"
                            + " sampling period; must stay 0.")
                    .tags(tags)
                    .register(meters.registry());
        }
        Gauge.builder(
                        "tidemark.probe.true.staleness",
                        this,
                        probe -> probe.latest.staleness().toNanos() / 1e9)
                .description("Age of the oldest change that the prober has written and not seen in an answer yet.")
                .baseUnit("seconds")
                .tags(watched)
                .register(meters.registry());
    }

    /** All meters in Prometheus' text format. */
    public String scrape() {
        return meters.scrape(() -> latest = reports.get());
    }

    @Override
    public void close() {
        meters.close();
    }

    private static String indexOf(ProbeReport report) {
        return report.index().substring(report.index().indexOf('.') + 1);
    }
}
