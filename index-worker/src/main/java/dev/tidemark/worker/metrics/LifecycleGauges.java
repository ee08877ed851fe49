package dev.tidemark.worker.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.backfill.BuildMeter;
import dev.tidemark.worker.backfill.BuildProgress;
import dev.tidemark.worker.generation.LifecycleState.State;
import dev.tidemark.worker.generation.LifecycleStates;
import dev.tidemark.worker.shard.Shards;

/**
 * Publishes the lifecycle state of the current generation of each index, and the progress of its build, over the
 * partitions of this worker. Every value is computed at the scrape. The series of an index exist while it is in force:
 * {@link #refresh()}, called before each scrape, adds and removes them.
 */
public final class LifecycleGauges {
    private final Shards shards;
    private final LifecycleStates lifecycleStates;
    private final BuildMeter builds;
    private final MultiGauge lifecycleState;
    private final MultiGauge rows;
    private final MultiGauge rate;
    private final MultiGauge eta;
    private final MultiGauge refused;

    public LifecycleGauges(MeterRegistry registry, Shards shards, BuildMeter builds) {
        this.shards = shards;
        this.lifecycleStates = new LifecycleStates(shards);
        this.builds = builds;
        this.lifecycleState = gauge(
                registry,
                "tidemark.index.lifecycle.state",
                "1 for the state of life that the index is in, 0 otherwise; unknown where it is ready in some partitions"
                        + " and others are elsewhere.");
        this.rows = gauge(
                registry,
                "tidemark.build.rows",
                "Rows that the index was derived for (done), and rows of its table (total).");
        this.rate = gauge(
                registry,
                "tidemark.build.rows.per.second",
                "How fast building went in the last seconds; NaN while the index is not being built.");
        this.eta = gauge(
                registry,
                "tidemark.build.eta.seconds",
                "How long building takes at that speed; NaN while the index is not being built.");
        this.refused = gauge(registry, "tidemark.index.refused.rows", "Rows of the table that the index cannot hold.");
    }

    /** Brings the series in line with what is in force. */
    public synchronized void refresh() {
        List<Row<?>> states = new ArrayList<>();
        List<Row<?>> counts = new ArrayList<>();
        List<Row<?>> rates = new ArrayList<>();
        List<Row<?>> etas = new ArrayList<>();
        List<Row<?>> refusals = new ArrayList<>();
        for (DesiredTable plan : shards.definitions().tables()) {
            TableDefinition table = plan.definition();
            for (DesiredIndex index : plan.indexes()) {
                Generation current = index.current();
                Tags tags = Tags.of("table", table.name(), "index", index.name());
                for (State state : State.values()) {
                    states.add(row(
                            tags.and("state", state.label()),
                            () -> lifecycleStates.of(table, current).state() == state ? 1 : 0));
                }
                counts.add(row(
                        tags.and("kind", "done"), () -> progress(table, current).rowsDone()));
                counts.add(row(
                        tags.and("kind", "total"),
                        () -> progress(table, current).rowsTotal()));
                rates.add(row(tags, () -> rate(table, current)));
                etas.add(row(tags, () -> eta(table, current)));
                refusals.add(
                        row(tags, () -> lifecycleStates.tally(table, current).refused()));
            }
        }
        lifecycleState.register(states, true);
        rows.register(counts, true);
        rate.register(rates, true);
        eta.register(etas, true);
        refused.register(refusals, true);
    }

    private BuildProgress progress(TableDefinition table, Generation generation) {
        return builds.progress(table.name(), generation.id());
    }

    private double rate(TableDefinition table, Generation generation) {
        return isBuilding(table, generation)
                ? progress(table, generation).rowsPerSecond().orElse(Double.NaN)
                : Double.NaN;
    }

    private double eta(TableDefinition table, Generation generation) {
        return isBuilding(table, generation)
                ? progress(table, generation)
                        .eta()
                        .map(LifecycleGauges::seconds)
                        .orElse(Double.NaN)
                : Double.NaN;
    }

    private boolean isBuilding(TableDefinition table, Generation generation) {
        return lifecycleStates.of(table, generation).state() == State.BUILDING;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static Row<?> row(Tags tags, Supplier<Number> reading) {
        return Row.of(tags, reading);
    }

    private static MultiGauge gauge(MeterRegistry registry, String name, String help) {
        return MultiGauge.builder(name).description(help).register(registry);
    }
}
