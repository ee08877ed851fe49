package dev.tidemark.source.metrics;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;

import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.source.feed.SourceStatus;

/** The meters of a source. Names and tags are public; see {@code docs/metrics.md}. */
public final class SourceMeters {
    private final ServiceMeters meters;
    private final SourceStatus status;
    private final Tags tags;

    private SourceMeters(ServiceMeters meters, SourceStatus status, String name) {
        this.meters = meters;
        this.status = status;
        this.tags = Tags.of("source", name);
    }

    /**
     * Shows what a source does.
     *
     * @param name of the source
     */
    public static void show(ServiceMeters meters, SourceStatus status, String name) {
        SourceMeters source = new SourceMeters(meters, status, name);
        source.count("tidemark.source.changes", "Changes in batches that the writer took.", SourceStatus::changes);
        source.count("tidemark.source.sent.bytes", "Bytes of these batches.", SourceStatus::bytes);
        source.count("tidemark.source.batches", "Batches that the writer took.", SourceStatus::batches);
        source.count(
                "tidemark.source.reconnects",
                "Runs after the first: after a failure, or with other tables.",
                SourceStatus::reconnects);
        source.gauge(
                "tidemark.source.position.timestamp",
                "When the writer last stored a position, in seconds since 1970.",
                SourceStatus::stored);
        source.gauge(
                "tidemark.source.sent.watermark.age",
                "Time since the last watermark that the writer took from this process; NaN before the first.",
                SourceStatus::watermarkAge);
        for (SourceStatus.Stage stage : SourceStatus.Stage.values()) {
            Gauge.builder("tidemark.source.state", status, now -> now.stage() == stage ? 1 : 0)
                    .description("1 for what the source does, 0 for the others.")
                    .tags(source.tags.and("state", stage.name().toLowerCase(Locale.ROOT)))
                    .register(meters.registry());
        }
    }

    private void count(String name, String description, ToDoubleFunction<SourceStatus> value) {
        FunctionCounter.builder(name, status, value)
                .description(description)
                .tags(tags)
                .register(meters.registry());
    }

    private void gauge(String name, String description, ToDoubleFunction<SourceStatus> value) {
        Gauge.builder(name, status, value)
                .description(description)
                .baseUnit("seconds")
                .tags(tags)
                .register(meters.registry());
    }
}
