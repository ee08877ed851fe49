package dev.tidemark.worker.http;

import java.time.Instant;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.IndexPlan;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.progress.IndexState;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.build.BuildMeter;
import dev.tidemark.worker.build.RollbackWindow;
import dev.tidemark.worker.life.Equality;
import dev.tidemark.worker.life.Life;
import dev.tidemark.worker.life.LifeRule;
import dev.tidemark.worker.life.Lives;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.lifecycle.Shards;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.Phase;

/** Where an index is in its life, as JSON. */
public final class LifeJson {
    private final Shards shards;
    private final BuildMeter builds;
    private final RollbackWindow window;
    private final Lives lives;

    public LifeJson(Shards shards, BuildMeter builds, RollbackWindow window) {
        this.shards = shards;
        this.builds = builds;
        this.window = window;
        this.lives = new Lives(shards);
    }

    /**
     * Adds the members {@code state}, {@code generation}, {@code digest} and those of {@link #describe}.
     *
     * @param following how the table is followed, which is the state of an index that answers and has nothing wrong
     */
    void addTo(ObjectNode json, TableDefinition table, IndexPlan plan, IndexState following) {
        Life life = lives.of(table, plan.current());
        json.put("state", life.isUsual() ? following.label() : life.state().label());
        json.put("generation", plan.current().id());
        describe(json, table, plan);
        json.set("digest", digest(table, plan.current()));
    }

    /** Adds the members {@code life}, {@code progress}, {@code refused} and, where there is one, {@code previous}. */
    void describe(ObjectNode json, TableDefinition table, IndexPlan plan) {
        Generation current = plan.current();
        Life life = lives.of(table, current);
        ObjectNode one = json.putObject("life");
        one.put("state", life.state().label());
        one.put("since", life.since().map(Instant::toString).orElse(null));
        one.put("cause", life.cause());
        one.put("generation", current.id());
        one.put("serves", life.serves());
        json.set("progress", BuildJson.of(builds.progress(table.name(), current.id())));
        json.put("refused", lives.tally(table, current).refused());
        plan.previous().ifPresent(previous -> {
            ObjectNode before = json.putObject("previous");
            before.put("generation", previous.id());
            before.put("serves", lives.of(table, previous).serves());
            window.end(table, plan).ifPresent(end -> before.put("rollbackUntil", end.toString()));
        });
    }

    private ObjectNode digest(TableDefinition table, Generation generation) {
        Equality equality = lives.equality(table, generation);
        return RowJson.mapper()
                .createObjectNode()
                .put("equal", equality.equal().orElse(null))
                .put("asOf", equality.asOf().map(Instant::toString).orElse(null))
                .put("entries", lives.tally(table, generation).entriesDigest().toString());
    }

    /** What each shard here says of a generation. */
    ArrayNode shards(TableDefinition table, Generation generation) {
        ArrayNode json = RowJson.mapper().createArrayNode();
        for (LiveShard shard : shards.of(table)) {
            ObjectNode one = json.addObject().put("partition", shard.id().partition());
            shard.status()
                    .flatMap(status -> status.checkpoint().generation(generation.id()))
                    .ifPresent(status -> fill(one, status));
        }
        return json;
    }

    private static void fill(ObjectNode json, GenerationStatus status) {
        Phase phase = status.phase();
        json.put("phase", LifeRule.of(phase).label());
        json.put("since", phase.since().toString());
        json.put("cause", phase.cause());
        Phase inner = phase instanceof Phase.Paused paused ? paused.building() : phase;
        if (inner instanceof Phase.Building building) {
            json.put("copied", building.copied());
            json.put("copyEnd", building.copyEnd());
        }
        json.put("rows", status.tally().rows());
        json.put("entries", status.tally().entries());
        json.put("refused", status.tally().refused());
        json.put("digest", status.tally().entriesDigest().toString());
    }
}
