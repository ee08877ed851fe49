package dev.tidemark.worker.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.progress.IndexState;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.ShardLag;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.lifecycle.Shards;
import dev.tidemark.worker.store.ShardId;

/**
 * Shows lag. Every value is worked out when it is scraped; what cannot be told is NaN. The series of a partition are there
 * while it is assigned: {@link #refresh()}, called before each scrape, adds and removes them.
 */
public final class LagGauges {
    private final LagMeter lag;
    private final Shards shards;
    private final MultiGauge seconds;
    private final MultiGauge records;
    private List<ShardId> shown = List.of();

    public LagGauges(MeterRegistry registry, Catalog catalog, LagMeter lag) {
        this.lag = lag;
        this.shards = lag.shards();
        this.seconds = MultiGauge.builder("tidemark.index.lag.seconds")
                .description(
                        "Age of the oldest change that is not applied, at most; 0 when caught up, which is known to 300 ms.")
                .register(registry);
        this.records = MultiGauge.builder("tidemark.index.lag.records")
                .description("Records published to the partition and not applied.")
                .register(registry);
        for (TableDefinition table : catalog.tables()) {
            for (IndexDefinition index : table.indexes()) {
                register(registry, table, index.name());
            }
        }
    }

    /** Brings the series of partitions in line with what is assigned. */
    public synchronized void refresh() {
        List<LiveShard> assigned = List.copyOf(shards.assigned());
        List<ShardId> ids = assigned.stream().map(LiveShard::id).toList();
        if (ids.equals(shown)) {
            return;
        }
        shown = ids;
        seconds.register(rows(assigned, shard -> seconds(shard.oldestUnapplied())), true);
        records.register(
                rows(
                        assigned,
                        shard -> shard.recordsBehind().isPresent()
                                ? shard.recordsBehind().getAsLong()
                                : Double.NaN),
                true);
    }

    private List<Row<?>> rows(List<LiveShard> assigned, Function<ShardLag, Double> value) {
        List<Row<?>> rows = new ArrayList<>();
        for (LiveShard shard : assigned) {
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

    private void register(MeterRegistry registry, TableDefinition table, String index) {
        Tags tags = Tags.of("table", table.name(), "index", index);
        Gauge.builder("tidemark.index.freshness.seconds", () -> seconds(LagMeter.freshness(lag.of(table))))
                .description(
                        "Time since the least watermark of the index, an upper bound on how stale an answer can be.")
                .tags(tags)
                .register(registry);
        Gauge.builder("tidemark.index.entries", () -> entries(table, index))
                .description("Entries in the index.")
                .tags(tags)
                .register(registry);
        for (IndexState state : IndexState.values()) {
            Gauge.builder("tidemark.index.state", () -> lag.state(table) == state ? 1 : 0)
                    .description("1 for the state that the index is in, 0 for the others.")
                    .tags(tags.and("state", state.label()))
                    .register(registry);
        }
    }

    private double entries(TableDefinition table, String index) {
        List<LiveShard> held = shards.of(table);
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
