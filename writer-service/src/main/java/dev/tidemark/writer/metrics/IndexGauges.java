package dev.tidemark.writer.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.writer.lag.FreshnessWatch;

/**
 * Reports how fresh the indexes are by the workers' progress. The series of an index are there while it is defined:
 * {@link #refresh()}, called before each scrape, adds and removes them.
 */
public final class IndexGauges {
    private static final double MILLIS_PER_SECOND = 1_000;

    private final FreshnessWatch watch;
    private final Supplier<Catalog> catalog;
    private final MultiGauge freshness;

    public IndexGauges(MeterRegistry registry, FreshnessWatch watch, Supplier<Catalog> catalog) {
        this.watch = watch;
        this.catalog = catalog;
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
        for (TableDefinition table : catalog.get().tables()) {
            for (IndexDefinition index : table.indexes()) {
                rows.add(Row.of(Tags.of("table", table.name(), "index", index.name()), () -> seconds(table)));
            }
        }
        freshness.register(rows, true);
    }

    private double seconds(TableDefinition table) {
        return watch.freshness(table)
                .map(age -> age.toMillis() / MILLIS_PER_SECOND)
                .orElse(Double.NaN);
    }
}
