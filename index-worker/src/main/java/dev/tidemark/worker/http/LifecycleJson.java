package dev.tidemark.worker.http;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.digest.Digest;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.worker.apply.DigestFinding;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.backfill.BuildMeter;
import dev.tidemark.worker.backfill.BuildProgress;
import dev.tidemark.worker.backfill.RollbackWindow;
import dev.tidemark.worker.forecast.ForecastJobs;
import dev.tidemark.worker.generation.DigestEquality;
import dev.tidemark.worker.generation.LifecycleRule;
import dev.tidemark.worker.generation.LifecycleState;
import dev.tidemark.worker.generation.LifecycleStates;
import dev.tidemark.worker.generation.ShardLife;
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
    static final int MOST_REFUSED = 32;

    /**
     * Adds the members {@code state}, {@code generation}, {@code digest} and those of {@link #describe}.
     *
     * @param following how the table is followed, which is the state of an index that answers and has nothing wrong
     */
    void addTo(ObjectNode json, TableDefinition table, DesiredIndex plan, IndexHealth following) {
        LifecycleState state = states().of(table, plan.current());
        json.put("state", label(state, following));
        json.put("generation", plan.current().id());
        describe(json, table, plan, state);
        json.set(
                "digest",
                digest(
                        states().equality(table, plan.current()),
                        stats(table, plan.current()).entriesDigest()));
    }

    /** The state of an index, given how its table is followed. */
    static String label(LifecycleState state, IndexHealth following) {
        return state.isUsual() ? following.label() : state.state().label();
    }

    /** The comparison by digests. */
    static ObjectNode digest(DigestEquality equality, Digest entries) {
        return object().put("equal", equality.equal().orElse(null))
                .put("asOf", text(equality.asOf()))
                .put("entries", entries.toString());
    }

    /** Adds the members {@code life}, {@code progress}, {@code refused} and, where there is one, {@code previous}. */
    void describe(ObjectNode json, TableDefinition table, DesiredIndex plan) {
        describe(json, table, plan, states().of(table, plan.current()));
    }

    private void describe(ObjectNode json, TableDefinition table, DesiredIndex plan, LifecycleState state) {
        Generation current = plan.current();
        json.set("life", life(state, current.id()));
        json.set("progress", progress(builds.progress(table, current)));
        json.put("refused", stats(table, current).refused());
        plan.previous().ifPresent(previous -> {
            ObjectNode before = json.putObject("previous").put("generation", previous.id());
            before.put("serves", states().of(table, previous).serves());
            TableDefinition home = current.home(table);
            Optional<Instant> end =
                    shards.of(home).size() == home.partitions() ? window.end(table, plan) : Optional.empty();
            end.ifPresent(time -> before.put("rollbackUntil", time.toString()));
        });
    }

    /** The lifecycle state of a generation. */
    static ObjectNode life(LifecycleState state, long generation) {
        ObjectNode json = object().put("state", state.state().label());
        json.put("since", text(state.since())).put("cause", state.cause());
        return json.put("generation", generation).put("serves", state.serves());
    }

    /** The progress of a build. An unknown value is null. */
    static ObjectNode progress(BuildProgress progress) {
        ObjectNode json = object().put("rowsDone", progress.rowsDone()).put("rowsTotal", progress.rowsTotal());
        json.put("rowsPerSecond", progress.rowsPerSecond().orElse(null));
        return json.put(
                "etaSeconds",
                progress.eta().map(Duration::toMillis).map(eta -> eta / 1e3).orElse(null));
    }

    /**
     * Adds {@code shards}: what each shard here says of the current generation, and of the one before.
     *
     * @param listed the shards that are here of the current generation
     * @param part whether another worker puts these shards together with its own
     */
    void addShards(
            ObjectNode json, Collection<OpenShard> listed, TableDefinition table, DesiredIndex plan, boolean part) {
        ArrayNode held = json.putArray("shards");
        for (OpenShard shard : listed) {
            ObjectNode one = held.addObject().put("partition", shard.id().partition());
            Optional<ShardStatus> status = shard.status();
            Optional<GenerationStatus> current = held(status, plan.current());
            current.ifPresent(generation -> fill(one, generation));
            if (part) {
                Optional<DigestFinding> finding = status.flatMap(known ->
                        Optional.ofNullable(known.digests().get(plan.current().id())));
                Optional<ShardLife> life = status.flatMap(known -> LifecycleStates.life(shard, known, plan.current()));
                boolean before = plan.previous()
                        .filter(previous -> servesHere(table, previous))
                        .isPresent();
                Optional<Instant> ready = current.flatMap(RollbackWindow::readySince);
                one.set("part", new ShardPart(status.isPresent(), life, ready, finding, before).json());
            }
        }
    }

    /** Whether a generation may answer from all of its shards that are open here. */
    private boolean servesHere(TableDefinition table, Generation generation) {
        return shards.checkpoints(generation.home(table)).stream()
                .allMatch(checkpoint -> checkpoint
                        .generation(generation.id())
                        .filter(GenerationStatus::serves)
                        .isPresent());
    }

    private static Optional<GenerationStatus> held(Optional<ShardStatus> status, Generation generation) {
        return status.flatMap(known -> known.checkpoint().generation(generation.id()));
    }

    /** Adds {@code actual}, {@code refusedRows} and, where there was one, {@code forecast}. */
    void addContent(ObjectNode json, TableDefinition table, Generation generation) {
        forecastJobs.forecast(generation.definition()).ifPresent(kept -> json.set("forecast", forecast(kept)));
        ArrayNode refused = json.putArray("refusedRows");
        StoredBytes bytes = StoredBytes.NONE;
        for (OpenShard shard : shards.of(generation.home(table))) {
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
        ObjectNode json = object().put("rows", kept.rows());
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

    /** The life of a generation by the shards of this worker. */
    GroupIndexes.Life life(TableDefinition table, Generation generation) {
        return new GroupIndexes.Life(states().here(table, generation), builds.progress(table, generation));
    }

    private LifecycleStates states() {
        return new LifecycleStates(shards);
    }

    private GenerationStats stats(TableDefinition table, Generation generation) {
        return states().tally(table, generation);
    }
}
