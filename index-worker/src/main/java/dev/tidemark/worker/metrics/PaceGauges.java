package dev.tidemark.worker.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.worker.lag.Visibility;

/** Shows how fast changes come and go. Every value is worked out when it is scraped. */
public final class PaceGauges {
    private PaceGauges() {}

    public static void register(MeterRegistry registry, Catalog catalog, Visibility visibility) {
        for (TableDefinition table : catalog.tables()) {
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
}
