package dev.tidemark.worker.metrics;

import java.util.function.Supplier;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.worker.lag.CatchUp;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.Pace;
import dev.tidemark.worker.lag.Visibility;

/** Shows how fast changes come and go. Every value is worked out when it is scraped. */
public final class PaceGauges {
    private PaceGauges() {}

    public static void register(MeterRegistry registry, Catalog catalog, Visibility visibility, LagMeter lag) {
        for (TableDefinition table : catalog.tables()) {
            gauge(
                    registry,
                    table,
                    "tidemark.table.arrival.rate",
                    "Records published a second, heartbeats included; NaN while not known.",
                    () -> lag.rates(table).map(Pace.Rates::arrival).orElse(Double.NaN));
            gauge(
                    registry,
                    table,
                    "tidemark.table.apply.rate",
                    "Records applied a second, heartbeats included; NaN while not known.",
                    () -> lag.rates(table).map(Pace.Rates::applied).orElse(Double.NaN));
            gauge(
                    registry,
                    table,
                    "tidemark.catch.up.eta.seconds",
                    "Time until the table has caught up at these rates; NaN when it is not late, +Inf when it does not gain.",
                    () -> seconds(lag.catchUp(table)));
            for (IndexDefinition index : table.indexes()) {
                Gauge.builder(
                                "tidemark.visibility.seconds.max",
                                () -> visibility.of(table.name()).max().toNanos() / 1e9)
                        .description("Longest time from commit to being found of the last minute or two.")
                        .tags(Tags.of("table", table.name(), "index", index.name()))
                        .register(registry);
            }
        }
    }

    private static void gauge(
            MeterRegistry registry, TableDefinition table, String name, String help, Supplier<Number> value) {
        Gauge.builder(name, value).description(help).tag("table", table.name()).register(registry);
    }

    private static double seconds(CatchUp catchUp) {
        return catchUp instanceof CatchUp.Never
                ? Double.POSITIVE_INFINITY
                : catchUp.time().map(time -> time.toNanos() / 1e9).orElse(Double.NaN);
    }
}
