package dev.tidemark.writer.metrics;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;

import dev.tidemark.writer.outbox.SourceWatermarks;

/**
 * Reports how far behind their sources the fact tables may be. The series of a source is there while a table follows
 * it: {@link #refresh()}, called before each scrape, adds and removes them.
 */
public final class SourceGauges {
    private static final double NANOS_PER_SECOND = 1e9;

    private final SourceWatermarks sources;
    private final Clock clock;
    private final MultiGauge age;

    /**
     * Gauges of the sources that tables follow.
     *
     * @param clock the commit clock, by which watermarks are
     */
    public SourceGauges(MeterRegistry registry, SourceWatermarks sources, Clock clock) {
        this.sources = sources;
        this.clock = clock;
        this.age = MultiGauge.builder("tidemark.source.watermark.age")
                .description("Time since the watermark of a source: what it committed later may be missing in the fact"
                        + " tables; NaN while none is known.")
                .baseUnit("seconds")
                .register(registry);
        refresh();
    }

    /** Brings the series in line with the sources that tables follow now. */
    public void refresh() {
        age.register(
                sources.names().stream()
                        .<Row<?>>map(name -> Row.of(Tags.of("source", name), () -> seconds(name)))
                        .toList(),
                true);
    }

    private double seconds(String source) {
        return sources.watermark(source)
                .map(watermark -> Duration.between(watermark, clock.instant()))
                .map(age -> TimeUnit.NANOSECONDS.convert(age) / NANOS_PER_SECOND)
                .orElse(Double.NaN);
    }
}
