package dev.tidemark.worker.http;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.IndexPlan;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.progress.IndexState;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.build.BuildMeter;
import dev.tidemark.worker.life.Life;
import dev.tidemark.worker.life.LifeRule;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.lifecycle.Shards;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.Phase;
import dev.tidemark.worker.store.Tally;

/** Where an index is in its life, as JSON. */
final class LifeJson {
    private final Shards shards;
    private final BuildMeter builds;

    LifeJson(Shards shards, BuildMeter builds) {
        this.shards = shards;
        this.builds = builds;
    }

    /**
     * Adds the members {@code state}, {@code generation}, {@code life}, {@code progress}, {@code refused}, {@code digest} and,
     * where there is one, {@code previous}.
     *
     * @param following how the table is followed, which is the state of an index that answers and has nothing wrong
     */
    void addTo(ObjectNode json, TableDefinition table, IndexPlan plan, IndexState following) {
        Life life = life(table, plan.current());
        boolean usual = life.state() == Life.State.UNKNOWN || (life.serves() && life.state() != Life.State.DEGRADED);
        json.put("state", usual ? following.label() : life.state().label());
        json.put("generation", plan.current().id());
        ObjectNode one = json.putObject("life");
        one.put("state", life.state().label());
        one.put("since", life.since().map(Instant::toString).orElse(null));
        one.put("cause", life.cause());
        one.put("generation", plan.current().id());
        Tally tally = tally(table, plan.current());
        json.set(
                "progress",
                BuildJson.of(builds.progress(table.name(), plan.current().id())));
        json.put("refused", tally.refused());
        json.put("digest", tally.entriesDigest().toString());
        plan.previous()
                .ifPresent(previous -> json.putObject("previous")
                        .put("generation", previous.id())
                        .put("serves", life(table, previous).serves()));
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

    private Life life(TableDefinition table, Generation generation) {
        List<Optional<GenerationStatus>> held = new ArrayList<>();
        int closed = 0;
        for (LiveShard shard : shards.of(table)) {
            Optional<ShardStatus> status = shard.status();
            if (status.isPresent()) {
                held.add(status.get().checkpoint().generation(generation.id()));
            } else {
                closed++;
            }
        }
        return LifeRule.of(held, closed);
    }

    private Tally tally(TableDefinition table, Generation generation) {
        return shards.of(table).stream()
                .flatMap(shard -> shard.status().stream())
                .flatMap(status -> status.checkpoint().generation(generation.id()).stream())
                .map(GenerationStatus::tally)
                .reduce(Tally.NONE, Tally::plus);
    }
}
