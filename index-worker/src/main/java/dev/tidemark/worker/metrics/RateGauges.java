package dev.tidemark.worker.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.worker.lag.ApplyRate;
import dev.tidemark.worker.lag.CatchUpEstimate;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.Visibility;

/**
 * Publishes the arrival and apply rates of changes, the catch-up time and the longest visibility time. Every value is
 * computed at the scrape. The series of a table and of an index exist while it is in force: {@link #refresh()}, called
 * before each scrape, adds and removes them.
 */
public final class RateGauges {
    private final Supplier<Catalog> catalog;
    private final Visibility visibility;
    private final LagMeter lag;
    private final MultiGauge arrival;
    private final MultiGauge applied;
    private final MultiGauge eta;
    private final MultiGauge slowest;

    public RateGauges(MeterRegistry registry, Supplier<Catalog> catalog, Visibility visibility, LagMeter lag) {
        this.catalog = catalog;
        this.visibility = visibility;
        this.lag = lag;
        this.arrival = gauge(
                registry,
                "tidemark.table.arrival.rate",
                "Records published a second, heartbeats included; NaN while not known, and where partitions are elsewhere.");
        this.applied = gauge(
                registry,
                "tidemark.table.apply.rate",
                "Records applied a second, heartbeats included; NaN while not known, and where partitions are elsewhere.");
        this.eta = gauge(
                registry,
                "tidemark.catch.up.eta.seconds",
                "Time until the table has caught up at these rates; NaN when it is not late or partitions are elsewhere, +Inf"
                        + " when it does not gain.");
        this.slowest = gauge(
                registry,
                "tidemark.visibility.seconds.max",
                "Longest time from commit to being found of the last minute or two.");
        refresh();
    }

    /** Brings the series in line with what is in force. */
    public synchronized void refresh() {
        List<TableDefinition> tables = catalog.get().tables();
        arrival.register(
                rows(
                        tables,
                        table -> lag.rates(table).map(ApplyRate.Rates::arrival).orElse(Double.NaN)),
                true);
        applied.register(
                rows(
                        tables,
                        table -> lag.rates(table).map(ApplyRate.Rates::applied).orElse(Double.NaN)),
                true);
        eta.register(rows(tables, table -> seconds(lag.catchUp(table))), true);
        List<Row<?>> indexes = new ArrayList<>();
        for (IndexDefinition index : catalog.get().indexes()) {
            Supplier<Number> longest = () -> visibility.of(index.table()).max().toNanos() / 1e9;
            indexes.add(Row.of(Tags.of("table", index.table(), "index", index.name()), longest));
        }
        slowest.register(indexes, true);
    }

    private static List<Row<?>> rows(List<TableDefinition> tables, Function<TableDefinition, Number> value) {
        List<Row<?>> rows = new ArrayList<>();
        for (TableDefinition table : tables) {
            Supplier<Number> reading = () -> value.apply(table);
            rows.add(Row.of(Tags.of("table", table.name()), reading));
        }
        return rows;
    }

    private static MultiGauge gauge(MeterRegistry registry, String name, String help) {
        return MultiGauge.builder(name).description(help).register(registry);
    }

    private static double seconds(CatchUpEstimate catchUp) {
        return catchUp instanceof CatchUpEstimate.Never
                ? Double.POSITIVE_INFINITY
                : catchUp.time().map(time -> time.toNanos() / 1e9).orElse(Double.NaN);
    }
}
