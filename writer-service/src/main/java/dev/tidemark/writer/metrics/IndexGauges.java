package dev.tidemark.writer.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.writer.lag.FreshnessWatch;

/**
 * Reports how fresh the indexes are by the workers' progress. The series of an index are there while it is defined:
 * {@link #refresh()}, called before each scrape, adds and removes them.
 */
public final class IndexGauges {
    private static final double NANOS_PER_SECOND = 1e9;

    private final FreshnessWatch watch;
    private final Supplier<Definitions> inForce;
    private final MultiGauge freshness;

    /**
     * Publishes the series.
     *
     * @param inForce gives the definitions as people write them
     */
    public IndexGauges(MeterRegistry registry, FreshnessWatch watch, Supplier<Definitions> inForce) {
        this.watch = watch;
        this.inForce = inForce;
        this.freshness = MultiGauge.builder("tidemark.index.freshness")
                .description("How stale an answer of the index can be, by the notes of the workers; NaN while"
                        + " they have left none.")
                .baseUnit("seconds")
                .register(registry);
        series();
    }

    /** Brings the series in line with the indexes that are defined now, and what they show up to date. */
    public void refresh() {
        watch.look();
        series();
    }

    private void series() {
        List<Row<?>> rows = new ArrayList<>();
        for (DesiredTable table : inForce.get().tables()) {
            for (DesiredIndex index : table.indexes()) {
                rows.add(Row.of(
                        Tags.of("table", table.name(), "index", index.name()),
                        () -> seconds(watch.answering(table.definition(), index))));
            }
        }
        freshness.register(rows, true);
    }

    private double seconds(List<TableDefinition> answering) {
        return watch.freshness(answering)
                .map(age -> TimeUnit.NANOSECONDS.convert(age) / NANOS_PER_SECOND)
                .orElse(Double.NaN);
    }
}
