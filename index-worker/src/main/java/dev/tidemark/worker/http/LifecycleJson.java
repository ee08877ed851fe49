package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.worker.backfill.BuildMeter;
import dev.tidemark.worker.backfill.BuildProgress;
import dev.tidemark.worker.backfill.RollbackWindow;
import dev.tidemark.worker.forecast.ForecastJobs;
import dev.tidemark.worker.generation.DigestEquality;
import dev.tidemark.worker.generation.LifecycleRule;
import dev.tidemark.worker.generation.LifecycleState;
import dev.tidemark.worker.generation.LifecycleStates;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.store.StoredBytes;

import static dev.tidemark.worker.http.JsonValues.object;
import static dev.tidemark.worker.http.JsonValues.seconds;
import static dev.tidemark.worker.http.JsonValues.text;

/** Where an index is in its life, and its forecast beside its actual size, as JSON. */
public record LifecycleJson(Shards shards, BuildMeter builds, RollbackWindow window, ForecastJobs forecastJobs) {
    private static final int MOST_REFUSED = 32;

    /**
     * Adds the members {@code state}, {@code generation}, {@code digest} and those of {@link #describe}.
     *
     * @param following how the table is followed, which is the state of an index that answers and has nothing wrong
     */
    void addTo(ObjectNode json, TableDefinition table, DesiredIndex plan, IndexHealth following) {
        LifecycleState state = states().of(table, plan.current());
        json.put("state", state.isUsual() ? following.label() : state.state().label());
        json.put("generation", plan.current().id());
        describe(json, table, plan);
        DigestEquality equality = states().equality(table, plan.current());
        json.putObject("digest")
                .put("equal", equality.equal().orElse(null))
                .put("asOf", text(equality.asOf()))
                .put("entries", stats(table, plan.current()).entriesDigest().toString());
    }

    /** Adds the members {@code life}, {@code progress}, {@code refused} and, where there is one, {@code previous}. */
    void describe(ObjectNode json, TableDefinition table, DesiredIndex plan) {
        Generation current = plan.current();
        LifecycleState state = states().of(table, current);
        ObjectNode life = json.putObject("life").put("state", state.state().label());
        life.put("since", text(state.since())).put("cause", state.cause());
        life.put("generation", current.id()).put("serves", state.serves());
        json.set("progress", progress(builds.progress(table.name(), current.id())));
        json.put("refused", stats(table, current).refused());
        plan.previous().ifPresent(previous -> {
            ObjectNode before = json.putObject("previous").put("generation", previous.id());
            before.put("serves", states().of(table, previous).serves());
            window.end(table, plan).ifPresent(end -> before.put("rollbackUntil", end.toString()));
        });
    }

    /** The progress of a build. An unknown value is null. */
    static ObjectNode progress(BuildProgress progress) {
        ObjectNode json = object().put("rowsDone", progress.rowsDone()).put("rowsTotal", progress.rowsTotal());
        json.put("rowsPerSecond", progress.rowsPerSecond().orElse(null));
        return json.put(
                "etaSeconds",
                progress.eta().map(Duration::toMillis).map(eta -> eta / 1e3).orElse(null));
    }

    /** Adds {@code shards}, {@code actual}, {@code refusedRows} and, where there was one, {@code forecast}. */
    void addShards(ObjectNode json, TableDefinition table, Generation generation) {
        forecastJobs.forecast(generation.definition()).ifPresent(kept -> json.set("forecast", forecast(kept)));
        ArrayNode held = json.putArray("shards");
        ArrayNode refused = json.putArray("refusedRows");
        StoredBytes bytes = StoredBytes.NONE;
        for (OpenShard shard : shards.of(table)) {
            ObjectNode one = held.addObject().put("partition", shard.id().partition());
            shard.status()
                    .flatMap(status -> status.checkpoint().generation(generation.id()))
                    .ifPresent(status -> fill(one, status));
            Optional<OpenShard.ShardSnapshot> reading = shard.readIfOpen();
            if (reading.isPresent()) {
                try (ShardView view = reading.get().view()) {
                    bytes = bytes.plus(view.approximateBytes(generation.id()));
                    view.refused(generation.id(), MOST_REFUSED - refused.size()).forEach(row -> {
                        ObjectNode shown = refused.addObject();
                        shown.set("primaryKey", QuarantineJson.key(table, row.primaryKey()));
                        shown.put("partition", shard.id().partition());
                        shown.put("version", row.version().toString()).put("reason", row.reason());
                    });
                }
            }
        }
        GenerationStats stats = stats(table, generation);
        ObjectNode actual = json.putObject("actual").put("rows", stats.rows()).put("entries", stats.entries());
        actual.put("diskBytes", bytes.files())
                .put("memoryBytes", bytes.memory())
                .put("refused", stats.refused());
        actual.put("buildSeconds", seconds(builds.took(generation.id())));
    }

    private static ObjectNode forecast(ForecastJobs.Kept kept) {
        ObjectNode json = object().put("rows", kept.table().rows());
        json.put("entries", kept.index().entries())
                .put("diskBytes", kept.index().diskBytes());
        json.put("refused", kept.index().refused());
        json.put("buildSeconds", seconds(kept.index().build()));
        return json.put("lookedAtPercent", kept.table().fraction() * 100);
    }

    private static void fill(ObjectNode json, GenerationStatus status) {
        GenerationState phase = status.phase();
        json.put("phase", LifecycleRule.of(phase).label());
        json.put("since", phase.since().toString()).put("cause", phase.cause());
        GenerationState inner = phase instanceof GenerationState.Paused paused ? paused.building() : phase;
        if (inner instanceof GenerationState.Building building) {
            json.put("copied", building.copied()).put("copyEnd", building.copyEnd());
        }
        GenerationStats stats = status.tally();
        json.put("rows", stats.rows()).put("entries", stats.entries()).put("refused", stats.refused());
        json.put("digest", stats.entriesDigest().toString());
    }

    private LifecycleStates states() {
        return new LifecycleStates(shards);
    }

    private GenerationStats stats(TableDefinition table, Generation generation) {
        return states().tally(table, generation);
    }
}
