package dev.tidemark.worker.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.ShardLag;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.ShardId;

/**
 * Publishes lag as gauges. Every value is computed at the scrape; an unknown value is NaN. The series of an index exist
 * while the index is in force, those of a partition while it is assigned. {@link #refresh()}, called before each
 * scrape, adds and removes them.
 */
public final class LagGauges {
    private final Supplier<Catalog> catalog;
    private final LagMeter lag;
    private final Shards shards;
    private final MultiGauge seconds;
    private final MultiGauge records;
    private final MultiGauge freshness;
    private final MultiGauge entries;
    private final MultiGauge state;

    public LagGauges(MeterRegistry registry, Supplier<Catalog> catalog, LagMeter lag) {
        this.catalog = catalog;
        this.lag = lag;
        this.shards = lag.shards();
        this.seconds = MultiGauge.builder("tidemark.index.lag.seconds")
                .description(
                        "Age of the oldest change that is not applied, at most; 0 when caught up, which is known to 300 ms.")
                .register(registry);
        this.records = MultiGauge.builder("tidemark.index.lag.records")
                .description("Records published to the partition and not applied.")
                .register(registry);
        this.freshness = MultiGauge.builder("tidemark.index.freshness.seconds")
                .description(
                        "Time since the least watermark of the index, an upper bound on how stale an answer can be; NaN where"
                                + " this worker does not hold every partition, the writer reports it then.")
                .register(registry);
        this.entries = MultiGauge.builder("tidemark.index.entries")
                .description("Entries in the index, in the partitions that this worker holds.")
                .register(registry);
        this.state = MultiGauge.builder("tidemark.index.state")
                .description("1 for the state that the index is in, 0 for the others.")
                .register(registry);
    }

    /** Brings the series in line with the indexes that are in force and the partitions that are assigned. */
    public synchronized void refresh() {
        refreshIndexes();
        List<OpenShard> assigned = List.copyOf(shards.assigned());
        seconds.register(rows(assigned, shard -> seconds(shard.oldestUnapplied())), true);
        records.register(
                rows(
                        assigned,
                        shard -> shard.recordsBehind().isPresent()
                                ? shard.recordsBehind().getAsLong()
                                : Double.NaN),
                true);
    }

    private List<Row<?>> rows(List<OpenShard> assigned, Function<ShardLag, Double> value) {
        List<Row<?>> rows = new ArrayList<>();
        for (OpenShard shard : assigned) {
            ShardId id = shard.id();
            Supplier<Number> reading =
                    () -> shards.find(id).map(lag::of).map(value).orElse(Double.NaN);
            for (IndexDefinition index : shard.table().indexes()) {
                rows.add(Row.of(
                        Tags.of(
                                "table",
                                id.table(),
                                "index",
                                index.name(),
                                "partition",
                                Integer.toString(id.partition())),
                        reading));
            }
        }
        return rows;
    }

    private void refreshIndexes() {
        List<Row<?>> fresh = new ArrayList<>();
        List<Row<?>> counts = new ArrayList<>();
        List<Row<?>> states = new ArrayList<>();
        for (TableDefinition table : catalog.get().tables()) {
            for (IndexDefinition index : table.indexes()) {
                Tags tags = Tags.of("table", table.name(), "index", index.name());
                fresh.add(row(tags, () -> seconds(LagMeter.freshness(lag.ofWhole(table)))));
                counts.add(row(tags, () -> entries(table, index.name())));
                for (IndexHealth one : IndexHealth.values()) {
                    states.add(row(tags.and("state", one.label()), () -> lag.state(table) == one ? 1 : 0));
                }
            }
        }
        freshness.register(fresh, true);
        entries.register(counts, true);
        state.register(states, true);
    }

    private static Row<?> row(Tags tags, Supplier<Number> reading) {
        return Row.of(tags, reading);
    }

    private double entries(TableDefinition table, String index) {
        List<OpenShard> held = shards.of(table);
        Optional<Long> generation = shards.definitions()
                .index(table.name(), index)
                .map(plan -> plan.current().id());
        return held.isEmpty() || generation.isEmpty()
                ? Double.NaN
                : held.stream()
                        .flatMap(shard -> shard.status().stream())
                        .mapToLong(status -> status.checkpoint().entries(generation.get()))
                        .sum();
    }

    private static double seconds(Optional<Duration> duration) {
        return duration.map(value -> value.toNanos() / 1e9).orElse(Double.NaN);
    }
}
