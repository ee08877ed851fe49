package dev.tidemark.worker.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.backfill.BuildMeter;
import dev.tidemark.worker.backfill.RollbackWindow;
import dev.tidemark.worker.generation.DigestEquality;
import dev.tidemark.worker.generation.LifecycleRule;
import dev.tidemark.worker.generation.LifecycleState;
import dev.tidemark.worker.generation.LifecycleStates;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;

import static dev.tidemark.worker.http.JsonValues.text;

/** Where an index is in its life, as JSON. */
public record LifecycleJson(Shards shards, BuildMeter builds, RollbackWindow window) {
    /**
     * Adds the members {@code state}, {@code generation}, {@code digest} and those of {@link #describe}.
     *
     * @param following how the table is followed, which is the state of an index that answers and has nothing wrong
     */
    void addTo(ObjectNode json, TableDefinition table, DesiredIndex plan, IndexHealth following) {
        LifecycleState lifecycleState = states().of(table, plan.current());
        json.put(
                "state",
                lifecycleState.isUsual()
                        ? following.label()
                        : lifecycleState.state().label());
        json.put("generation", plan.current().id());
        describe(json, table, plan);
        json.set("digest", digest(table, plan.current()));
    }

    /** Adds the members {@code life}, {@code progress}, {@code refused} and, where there is one, {@code previous}. */
    void describe(ObjectNode json, TableDefinition table, DesiredIndex plan) {
        Generation current = plan.current();
        LifecycleState lifecycleState = states().of(table, current);
        ObjectNode one = json.putObject("life");
        one.put("state", lifecycleState.state().label());
        one.put("since", text(lifecycleState.since()));
        one.put("cause", lifecycleState.cause());
        one.put("generation", current.id());
        one.put("serves", lifecycleState.serves());
        json.set("progress", BuildJson.of(builds.progress(table.name(), current.id())));
        json.put("refused", states().tally(table, current).refused());
        plan.previous().ifPresent(previous -> {
            ObjectNode before = json.putObject("previous");
            before.put("generation", previous.id());
            before.put("serves", states().of(table, previous).serves());
            window.end(table, plan).ifPresent(end -> before.put("rollbackUntil", end.toString()));
        });
    }

    private LifecycleStates states() {
        return new LifecycleStates(shards);
    }

    private ObjectNode digest(TableDefinition table, Generation generation) {
        DigestEquality equality = states().equality(table, generation);
        return RowJson.mapper()
                .createObjectNode()
                .put("equal", equality.equal().orElse(null))
                .put("asOf", text(equality.asOf()))
                .put(
                        "entries",
                        states().tally(table, generation).entriesDigest().toString());
    }

    /** What each shard here says of a generation. */
    ArrayNode shards(TableDefinition table, Generation generation) {
        ArrayNode json = RowJson.mapper().createArrayNode();
        for (OpenShard shard : shards.of(table)) {
            ObjectNode one = json.addObject().put("partition", shard.id().partition());
            shard.status()
                    .flatMap(status -> status.checkpoint().generation(generation.id()))
                    .ifPresent(status -> fill(one, status));
        }
        return json;
    }

    private static void fill(ObjectNode json, GenerationStatus status) {
        GenerationState phase = status.phase();
        json.put("phase", LifecycleRule.of(phase).label());
        json.put("since", phase.since().toString());
        json.put("cause", phase.cause());
        GenerationState inner = phase instanceof GenerationState.Paused paused ? paused.building() : phase;
        if (inner instanceof GenerationState.Building building) {
            json.put("copied", building.copied());
            json.put("copyEnd", building.copyEnd());
        }
        json.put("rows", status.tally().rows());
        json.put("entries", status.tally().entries());
        json.put("refused", status.tally().refused());
        json.put("digest", status.tally().entriesDigest().toString());
    }
}
