package dev.tidemark.worker.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.metrics.BulkHistogram;
import dev.tidemark.metrics.HistogramFamily;
import dev.tidemark.metrics.HistogramFamily.Series;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.runtime.DurationCounts;
import dev.tidemark.worker.apply.ApplyCounts;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.apply.Stage;
import dev.tidemark.worker.apply.StageLatencies;
import dev.tidemark.worker.store.ShardId;

/** Counts what is applied, and times how long changes take to be found. Called by the apply threads. */
public final class WorkerMeters implements ShardApplier.Listener {
    /** Ten a decade from 1 ms to 10 s, so that a quantile between two bounds is a few per cent off at most. */
    private static final List<Duration> VISIBILITY_BUCKETS = bounds(1, 4, 1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8);

    /** Most of a change's time is in one stage, and the others are short beside it. */
    private static final List<Duration> STAGE_BUCKETS = bounds(0.1, 5, 1, 2.5, 5);

    private final MeterRegistry registry;
    private final Supplier<Definitions> inForce;
    private final Map<String, TableMeters> tables = new ConcurrentHashMap<>();

    /** The meters of one table. The indexes in its shards see a change at the same time, and so share a histogram. */
    private record TableMeters(
            Counter applied,
            Counter stale,
            Counter quarantined,
            BulkHistogram visibility,
            Map<Stage, BulkHistogram> stages,
            BulkHistogram source) {
        void add(StageLatencies latencies) {
            visibility.add(latencies.totals());
            stages.forEach((stage, histogram) -> histogram.add(latencies.in(stage)));
        }
    }

    /**
     * Meters of every table that is in force; each exists once a change of its table is applied, or the meters are
     * refreshed.
     *
     * @param inForce gives the tables and indexes in force
     */
    public WorkerMeters(ServiceMeters meters, Supplier<Definitions> inForce) {
        this.registry = meters.registry();
        this.inForce = inForce;
        meters.show(new HistogramFamily(
                "tidemark_visibility_seconds",
                "Time from the commit of a change to its being found through the index.",
                this::visibility));
        meters.show(new HistogramFamily(
                "tidemark_stage_seconds",
                "Time of a change in one stage of its way; the stages add up to its visibility, without source.",
                this::stages));
        refresh();
    }

    /** Shows the counters of tables that were not there before, and forgets the times of topics that are gone. */
    public void refresh() {
        Definitions now = inForce.get();
        now.tables().forEach(table -> of(table.name()));
        tables.keySet()
                .retainAll(
                        now.layout().tables().stream().map(DesiredTable::name).collect(Collectors.toSet()));
    }

    @Override
    public void applied(ShardId shard, ApplyCounts counts) {
        TableMeters meters = of(shard.table());
        meters.applied().increment(counts.applied());
        meters.stale().increment(counts.stale());
        meters.quarantined().increment(counts.quarantined());
    }

    @Override
    public void visible(ShardId shard, StageLatencies latencies) {
        of(shard.table()).add(latencies);
    }

    @Override
    public void sourceAge(ShardId shard, Duration age) {
        DurationCounts one = new DurationCounts(1);
        one.add(Math.max(0, TimeUnit.NANOSECONDS.convert(age)), 1);
        of(shard.table()).source().add(one);
    }

    private List<Series> visibility() {
        List<Series> series = new ArrayList<>();
        for (DesiredTable table : inForce.get().tables()) {
            for (DesiredIndex index : table.indexes()) {
                series.add(new Series(
                        Map.of("table", table.name(), "index", index.name()),
                        of(index.current().home(table.definition()).name()).visibility()));
            }
        }
        return series;
    }

    private List<Series> stages() {
        List<Series> series = new ArrayList<>();
        for (TableDefinition table : inForce.get().catalog().tables()) {
            if (table.source().isPresent()) {
                series.add(new Series(
                        Map.of("table", table.name(), "stage", StageLatencies.SOURCE),
                        of(table.name()).source()));
            }
            of(table.name())
                    .stages()
                    .forEach((stage, histogram) ->
                            series.add(new Series(Map.of("table", table.name(), "stage", stage.label()), histogram)));
        }
        return series;
    }

    private TableMeters of(String table) {
        return tables.computeIfAbsent(table, name -> meters(registry, name));
    }

    private static TableMeters meters(MeterRegistry registry, String table) {
        Map<Stage, BulkHistogram> stages = new EnumMap<>(Stage.class);
        for (Stage stage : Stage.values()) {
            stages.put(stage, new BulkHistogram(STAGE_BUCKETS));
        }
        return new TableMeters(
                events(registry, table, "applied"),
                events(registry, table, "stale"),
                events(registry, table, "quarantined"),
                new BulkHistogram(VISIBILITY_BUCKETS),
                stages,
                new BulkHistogram(STAGE_BUCKETS));
    }

    /**
     * Bounds of a histogram, up to a minute.
     *
     * @param firstMillis where the first decade begins
     * @param decades how many decades there are, up to 10 s
     * @param steps bounds of each decade, as multiples of its beginning
     */
    private static List<Duration> bounds(double firstMillis, int decades, double... steps) {
        DoubleStream upToTenSeconds = IntStream.range(0, decades)
                .mapToDouble(decade -> firstMillis * Math.pow(10, decade))
                .flatMap(begin -> Arrays.stream(steps).map(step -> step * begin));
        return DoubleStream.concat(upToTenSeconds, DoubleStream.of(10_000, 30_000, 60_000))
                .mapToObj(millis -> Duration.ofNanos(Math.round(millis * 1e6)))
                .toList();
    }

    private static Counter events(MeterRegistry registry, String table, String result) {
        // What comes by the topic of a global index counts for its table.
        return Counter.builder("tidemark.events.applied")
                .description("Events taken from the change topic: applied, stale (said nothing new), or quarantined.")
                .tags(Tags.of("table", DerivedTable.base(table), "result", result))
                .register(registry);
    }
}
