package dev.tidemark.worker.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.worker.backfill.BuildMeter;
import dev.tidemark.worker.backfill.BuildProgress;
import dev.tidemark.worker.generation.LifecycleState.State;
import dev.tidemark.worker.generation.LifecycleStates;
import dev.tidemark.worker.lag.ApplyRate;
import dev.tidemark.worker.lag.CatchUpEstimate;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.ShardLag;
import dev.tidemark.worker.lag.Visibility;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.verify.VerifyTotals;

/**
 * Publishes what this worker knows of tables, indexes and partitions. Every value is computed at the scrape; an unknown
 * value is NaN. The series of a table and of an index exist while it is in force, those of a partition while it is
 * assigned: {@link #refresh()}, called before each scrape, adds and removes them.
 */
public final class WorkerGauges {
    private final MeterRegistry registry;
    private final Supplier<Definitions> inForce;
    private final LagMeter lag;
    private final Shards shards;
    private final LifecycleStates states;
    private final List<Runnable> families = new ArrayList<>();

    /** An index in force. */
    private record Index(Tags tags, TableDefinition table, DesiredIndex plan) {
        Generation generation() {
            return plan.current();
        }

        /** The table whose shards hold the current generation. */
        TableDefinition home() {
            return generation().home(table);
        }
    }

    /**
     * Publishes the series.
     *
     * @param inForce gives the definitions as people write them
     */
    public WorkerGauges(
            MeterRegistry registry,
            Supplier<Definitions> inForce,
            LagMeter lag,
            Visibility visibility,
            BuildMeter builds,
            VerifyTotals totals) {
        this.registry = registry;
        this.inForce = inForce;
        this.lag = lag;
        this.shards = lag.shards();
        this.states = new LifecycleStates(shards);
        showLag();
        showRates(visibility);
        showLifecycle(builds);
        showVerification(totals);
        showCopies();
        refresh();
    }

    /** Brings the series in line with what is in force and assigned. */
    public void refresh() {
        families.forEach(Runnable::run);
    }

    private void showLag() {
        perPartition(
                "tidemark.index.lag.seconds",
                "Age of the oldest change that is not applied, at most; 0 when caught up, which is known to 300 ms.",
                shard -> seconds(shard.oldestUnapplied()));
        perPartition(
                "tidemark.index.lag.records",
                "Records published to the partition and not applied.",
                shard -> shard.recordsBehind().isPresent()
                        ? shard.recordsBehind().getAsLong()
                        : Double.NaN);
        perIndex(
                "tidemark.index.freshness.seconds",
                "Time since the least watermark of the index, an upper bound on how stale an answer can be; NaN where"
                        + " this worker does not hold every partition, the writer reports it then.",
                index -> seconds(LagMeter.freshness(lag.ofAnswering(index.table(), index.plan()))));
        perIndex(
                "tidemark.index.entries",
                "Entries in the index, in the partitions that this worker holds; NaN before each of them was opened.",
                index -> shards.of(index.home()).isEmpty()
                                || shards.of(index.home()).stream()
                                        .anyMatch(shard -> shard.status().isEmpty())
                        ? Double.NaN
                        : states.tally(index.table(), index.generation()).entries());
        perState(
                "tidemark.index.state",
                "1 for the health of the index in the partitions that this worker holds, 0 for the others; unknown where"
                        + " it holds none.",
                IndexHealth.values(),
                IndexHealth::label,
                index -> lag.stateHere(index.table(), index.plan()));
    }

    private void showRates(Visibility visibility) {
        perTable(
                "tidemark.table.arrival.rate",
                "Records published a second to the partitions that this worker holds, heartbeats included; NaN while"
                        + " not known.",
                table -> lag.ratesHere(table).map(ApplyRate.Rates::arrival).orElse(Double.NaN));
        perTable(
                "tidemark.table.apply.rate",
                "Records applied a second, heartbeats included; NaN while not known.",
                table -> lag.ratesHere(table).map(ApplyRate.Rates::applied).orElse(Double.NaN));
        perTable(
                "tidemark.catch.up.eta.seconds",
                "Time until the partitions that this worker holds, those of global indexes included, have caught up at"
                        + " these rates; NaN when they are not late or it is not known, +Inf when one of them does"
                        + " not gain.",
                table -> {
                    CatchUpEstimate estimate = lag.catchUpWithDerived(table);
                    return estimate instanceof CatchUpEstimate.Never
                            ? Double.POSITIVE_INFINITY
                            : seconds(estimate.time());
                });
        perIndex(
                "tidemark.visibility.seconds.max",
                "Longest time from commit to being found of the last minute or two.",
                index -> visibility.of(index.home().name()).max().toNanos() / 1e9);
    }

    private void showLifecycle(BuildMeter builds) {
        perState(
                "tidemark.index.lifecycle.state",
                "1 for the lifecycle state of the index in the partitions that this worker holds, 0 for the others;"
                        + " unknown where it holds none.",
                State.values(),
                State::label,
                index -> states.here(index.table(), index.generation()).state());
        Function<Index, BuildProgress> progress = index -> builds.progress(index.table(), index.generation());
        show(
                "tidemark.build.rows",
                "Rows that the index was derived for (done), and rows of its table (total).",
                () -> indexes()
                        .flatMap(index -> Stream.of(
                                row(
                                        index.tags().and("kind", "done"),
                                        () -> progress.apply(index).rowsDone()),
                                row(
                                        index.tags().and("kind", "total"),
                                        () -> progress.apply(index).rowsTotal()))));
        perIndex(
                "tidemark.build.rows.per.second",
                "How fast building went in the last seconds; NaN while the index is not being built.",
                index -> isBuilding(index)
                        ? progress.apply(index).rowsPerSecond().orElse(Double.NaN)
                        : Double.NaN);
        perIndex(
                "tidemark.build.eta.seconds",
                "How long building takes at that speed; NaN while the index is not being built.",
                index -> isBuilding(index) ? seconds(progress.apply(index).eta()) : Double.NaN);
        perIndex(
                "tidemark.index.refused.rows",
                "Rows of the table that the index cannot hold.",
                index -> states.tally(index.table(), index.generation()).refused());
    }

    private void showVerification(VerifyTotals totals) {
        perIndex(
                "tidemark.index.digest.equal",
                "1 when the digests of index and table were equal at the last mark in the partitions that this worker"
                        + " holds, 0 when they differ for longer than one mark, NaN while that is not known.",
                index -> equal(index).map(equality -> equality ? 1.0 : 0.0).orElse(Double.NaN));
        perIndex(
                "tidemark.index.divergence",
                "Entries that the last comparison with the table found wrong, in the partitions that this worker holds;"
                        + " at least 1 while the digests differ, NaN before the first.",
                index -> divergence(index, totals));
        FunctionCounter.builder("tidemark.verify.rows", totals, VerifyTotals::rows)
                .description("Rows of tables that were compared with their indexes.")
                .register(registry);
        FunctionCounter.builder("tidemark.repairs", totals, VerifyTotals::repaired)
                .description("Rows whose index entries were put right.")
                .register(registry);
    }

    private void showCopies() {
        perTable(
                "tidemark.shards.copying",
                "Shards that this worker takes from another one at the moment.",
                table -> shards.withDerived(table).stream()
                        .filter(shard -> shards.copying(shard.id()).isPresent())
                        .count());
        families.add(() -> inForce.get().tables().stream()
                .map(DesiredTable::definition)
                .filter(table -> registry.find("tidemark.copy.bytes")
                                .tags("table", table.name())
                                .functionCounter()
                        == null)
                .forEach(table -> FunctionCounter.builder("tidemark.copy.bytes", shards, all -> all.takenBytes(table))
                        .description("Bytes of shards that this worker took from others.")
                        .tags(Tags.of("table", table.name()))
                        .register(registry)));
    }

    private double divergence(Index index, VerifyTotals totals) {
        OptionalLong found = shards.of(index.home()).stream()
                .map(shard -> totals.divergence(shard.id(), index.generation().id()))
                .flatMapToLong(OptionalLong::stream)
                .reduce(Long::sum);
        double counted = found.isPresent() ? found.getAsLong() : Double.NaN;
        // A comparison of rows may be to come, or be too long ago.
        return equal(index).equals(Optional.of(false)) ? Math.max(1, found.orElse(1)) : counted;
    }

    private Optional<Boolean> equal(Index index) {
        return states.equalityHere(index.table(), index.generation()).equal();
    }

    private boolean isBuilding(Index index) {
        return states.here(index.table(), index.generation()).state() == State.BUILDING;
    }

    private void perTable(String name, String description, ToDoubleFunction<TableDefinition> value) {
        show(
                name,
                description,
                () -> inForce.get().tables().stream()
                        .map(DesiredTable::definition)
                        .map(table -> row(Tags.of("table", table.name()), () -> value.applyAsDouble(table))));
    }

    private void perIndex(String name, String description, ToDoubleFunction<Index> value) {
        show(name, description, () -> indexes().map(index -> row(index.tags(), () -> value.applyAsDouble(index))));
    }

    private <S extends Enum<S>> void perState(
            String name, String description, S[] all, Function<S, String> label, Function<Index, S> state) {
        show(
                name,
                description,
                () -> indexes()
                        .flatMap(index -> Stream.of(all)
                                .map(one -> row(
                                        index.tags().and("state", label.apply(one)),
                                        () -> state.apply(index) == one ? 1 : 0))));
    }

    private void perPartition(String name, String description, ToDoubleFunction<ShardLag> value) {
        show(
                name,
                description,
                () -> indexes()
                        .flatMap(index -> shards.of(index.home()).stream().map(shard -> {
                            ShardId id = shard.id();
                            return row(
                                    index.tags().and("partition", Integer.toString(id.partition())),
                                    () -> shards.find(id)
                                            .map(held -> value.applyAsDouble(lag.of(held)))
                                            .orElse(Double.NaN));
                        })));
    }

    private Stream<Index> indexes() {
        return inForce.get().tables().stream()
                .flatMap(table -> table.indexes().stream()
                        .map(plan -> new Index(
                                Tags.of("table", table.name(), "index", plan.name()), table.definition(), plan)));
    }

    private void show(String name, String description, Supplier<Stream<Row<?>>> rows) {
        MultiGauge gauge = MultiGauge.builder(name).description(description).register(registry);
        families.add(() -> gauge.register(rows.get().toList(), true));
    }

    private static Row<?> row(Tags tags, Supplier<Number> value) {
        return Row.of(tags, value);
    }

    private static double seconds(Optional<Duration> duration) {
        return duration.map(value -> TimeUnit.NANOSECONDS.convert(value) / 1e9).orElse(Double.NaN);
    }
}
