package dev.tidemark.worker.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.worker.apply.Counts;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.store.ShardId;

/** Counts what is applied, and times how long changes take to be found. Called by the apply threads. */
public final class WorkerMeters implements ShardApplier.Listener {
    private static final Duration[] VISIBILITY_BUCKETS = visibilityBuckets();

    private final Map<String, TableMeters> tables = new TreeMap<>();

    /** The meters of one table. */
    private record TableMeters(Counter applied, Counter stale, Counter quarantined, List<Timer> visibility) {}

    public WorkerMeters(MeterRegistry registry, Catalog catalog) {
        catalog.tables().forEach(table -> tables.put(table.name(), meters(registry, table)));
    }

    @Override
    public void applied(ShardId shard, Counts counts) {
        TableMeters meters = tables.get(shard.table());
        if (meters != null) {
            meters.applied().increment(counts.applied());
            meters.stale().increment(counts.stale());
            meters.quarantined().increment(counts.quarantined());
        }
    }

    @Override
    public void visible(ShardId shard, Duration sinceCommit) {
        TableMeters meters = tables.get(shard.table());
        if (meters != null) {
            meters.visibility().forEach(timer -> timer.record(sinceCommit));
        }
    }

    private static TableMeters meters(MeterRegistry registry, TableDefinition table) {
        List<Timer> visibility = new ArrayList<>();
        for (IndexDefinition index : table.indexes()) {
            visibility.add(Timer.builder("tidemark.visibility")
                    .description("Time from the commit of a change to its being found through the index.")
                    .tags(Tags.of("table", table.name(), "index", index.name()))
                    .serviceLevelObjectives(VISIBILITY_BUCKETS)
                    .register(registry));
        }
        return new TableMeters(
                events(registry, table, "applied"),
                events(registry, table, "stale"),
                events(registry, table, "quarantined"),
                visibility);
    }

    /** Ten a decade from 1 ms to 10 s, so that a quantile between two bounds is a few per cent off at most. */
    private static Duration[] visibilityBuckets() {
        double[] decade = {1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8};
        DoubleStream upToTenSeconds = IntStream.of(1, 10, 100, 1_000)
                .mapToObj(scale -> Arrays.stream(decade).map(step -> step * scale))
                .flatMapToDouble(each -> each);
        return DoubleStream.concat(upToTenSeconds, DoubleStream.of(10_000, 30_000, 60_000))
                .mapToObj(millis -> Duration.ofNanos(Math.round(millis * 1e6)))
                .toArray(Duration[]::new);
    }

    private static Counter events(MeterRegistry registry, TableDefinition table, String result) {
        return Counter.builder("tidemark.events.applied")
                .description("Events taken from the change topic: applied, stale (said nothing new), or quarantined.")
                .tags(Tags.of("table", table.name(), "result", result))
                .register(registry);
    }
}
