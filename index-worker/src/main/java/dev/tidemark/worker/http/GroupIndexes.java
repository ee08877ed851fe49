package dev.tidemark.worker.http;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.worker.backfill.BuildProgress;
import dev.tidemark.worker.generation.LifecycleState;
import dev.tidemark.worker.query.Freshness;
import dev.tidemark.worker.query.IndexNames;

/**
 * The indexes of a whole replica group: what each worker says of its shards, put together.
 *
 * @param definitions the indexes that there are
 */
public record GroupIndexes(LagJson own, GroupParts group, Supplier<Definitions> definitions) {
    private static final String INDEXES = "indexes";
    private static final String ROLLBACK_UNTIL = "rollbackUntil";

    /** Where an index is in its life, and how far its building is. */
    record Life(LifecycleState state, BuildProgress progress) {}

    /**
     * The answer of {@code GET /v1/indexes}. By it a client decides whether the generation before may go. It goes
     * everywhere, so its end is that of all replica groups.
     */
    ObjectNode indexes() {
        Definitions now = definitions.get();
        // Before the ages are looked at: they must not grow while other workers are waited for.
        Optional<List<List<JsonNode>>> said = now.tables().stream()
                        .flatMap(table -> table.indexes().stream())
                        .anyMatch(plan -> plan.previous().isPresent())
                ? everywhere()
                : Optional.empty();
        ObjectNode json = group.isAlone() ? own.indexes(false) : indexesOfGroup();
        for (JsonNode index : json.path(INDEXES)) {
            long generation = index.path("life").path("generation").asLong();
            Optional<Instant> end = now.table(index.path("table").asText()).stream()
                    .flatMap(table -> table.indexes().stream()
                            .filter(plan -> plan.current().id() == generation
                                    && plan.previous().isPresent())
                            .flatMap(plan -> said.flatMap(all -> end(table.definition(), plan, all)).stream()))
                    .findFirst();
            putEnd(index, end);
        }
        return json;
    }

    private ObjectNode indexesOfGroup() {
        Instant asked = own.clock().instant();
        ObjectNode whole = own.indexes(true);
        List<JsonNode> parts = group.read(whole, PeerRoutes.INDEXES);
        Duration waited = own.since(asked);
        for (JsonNode index : whole.path(INDEXES)) {
            List<JsonNode> same = GroupParts.same(parts, INDEXES, "index", index);
            IndexParts.of(definitions.get(), (ObjectNode) index, same)
                    .ifPresent(found -> describe((ObjectNode) index, found, waited));
        }
        return whole;
    }

    /** The answer of {@code GET /v1/indexes/{index}}. */
    ObjectNode index(IndexNames.Found index) {
        Optional<Instant> end = index.plan().previous().flatMap(before -> rollbackEnd(index.table(), index.plan()));
        ObjectNode json = group.isAlone() ? own.index(index, false) : indexOfGroup(index);
        putEnd(json, end);
        return json;
    }

    private static void putEnd(JsonNode index, Optional<Instant> end) {
        if (index.path("previous") instanceof ObjectNode previous) {
            previous.remove(ROLLBACK_UNTIL);
            end.ifPresent(time -> previous.put(ROLLBACK_UNTIL, time.toString()));
        }
    }

    private ObjectNode indexOfGroup(IndexNames.Found index) {
        Instant asked = own.clock().instant();
        ObjectNode whole = own.index(index, true);
        String path = PeerRoutes.INDEXES + "/" + whole.path("index").asText();
        IndexParts parts = IndexParts.of(index.table(), index.plan(), group.read(whole, path));
        describe(whole, parts, own.since(asked));
        parts.describeContent(whole);
        return whole;
    }

    /** The life of the current generation of an index. */
    Life life(TableDefinition table, DesiredIndex plan) {
        if (group.isAlone()) {
            return own.lifecycle().life(table, plan.current());
        }
        IndexParts parts = parts(table, plan, group.read(own.indexes(true), PeerRoutes.INDEXES));
        return new Life(parts.life(), parts.progress());
    }

    /**
     * The state of the current generation of an index in each replica group, first in that of this worker. One is
     * unknown while the groups are not known.
     */
    List<LifecycleState> states(TableDefinition table, DesiredIndex plan) {
        if (!group.routes().isKnown()) {
            // The notes of a table that was defined just now were not read yet.
            group.routes().look();
        }
        boolean known = group.routes().isKnown();
        List<LifecycleState> states = new ArrayList<>(List.of(life(table, plan).state()));
        for (String replicaGroup : group.routes().groups()) {
            if (!group.routes().isOwn(replicaGroup)) {
                Set<URI> members = group.routes().members(replicaGroup);
                states.add(parts(table, plan, group.read(members, PeerRoutes.INDEXES))
                        .life());
            }
        }
        if (!known) {
            String why = "it is not known yet which other replica groups there are";
            states.add(new LifecycleState(LifecycleState.State.UNKNOWN, Optional.empty(), why, false));
        }
        return states;
    }

    private IndexParts parts(TableDefinition table, DesiredIndex plan, List<JsonNode> answers) {
        JsonNode name = JsonValues.object()
                .put(
                        "index",
                        definitions.get().catalog().publicName(plan.current().definition()));
        return IndexParts.of(table, plan, GroupParts.same(answers, INDEXES, "index", name));
    }

    /**
     * When the generation before goes, by all replica groups. Empty while a worker of one does not answer, and while
     * the groups are not known.
     */
    public Optional<Instant> rollbackEnd(TableDefinition table, DesiredIndex plan) {
        return everywhere().flatMap(said -> end(table, plan, said));
    }

    private Optional<Instant> end(TableDefinition table, DesiredIndex plan, List<List<JsonNode>> said) {
        List<Instant> ends = said.stream()
                .flatMap(answers -> parts(table, plan, answers)
                        .rollbackUntil(own.lifecycle().window())
                        .stream())
                .toList();
        return ends.size() < said.size() ? Optional.empty() : ends.stream().max(Instant::compareTo);
    }

    /** What the workers of each replica group say; empty as {@link #rollbackEnd} is. */
    private Optional<List<List<JsonNode>>> everywhere() {
        if (!group.routes().isKnown()) {
            return Optional.empty();
        }
        List<List<JsonNode>> all = new ArrayList<>();
        for (String replicaGroup : group.routes().groups()) {
            Set<URI> members = group.routes().members(replicaGroup);
            List<JsonNode> said = new ArrayList<>(group.read(members, PeerRoutes.INDEXES));
            if (said.size() < members.size()) {
                return Optional.empty();
            }
            if (group.routes().isOwn(replicaGroup)) {
                said.add(own.indexes(true));
            }
            all.add(said);
        }
        return Optional.of(all);
    }

    /**
     * Describes an index.
     *
     * @param waited the time in which the parts came
     */
    private void describe(ObjectNode json, IndexParts parts, Duration waited) {
        parts.describe(json, own.lifecycle().window());
        List<JsonNode> freshness =
                parts.holders().stream().map(part -> part.path("freshness")).toList();
        boolean whole = parts.missing().isEmpty();
        IndexHealth health = whole ? worst(freshness) : IndexHealth.UNKNOWN;
        json.put("state", LifecycleJson.label(parts.life(), health));
        json.set("digest", parts.digest());
        json.put("entries", parts.sum("entries"));
        // Workers state here how far the shards of the current generation are, and others may answer.
        boolean answers =
                whole && parts.answering().equals(List.of(parts.home())) && !parts.isElsewhere(group.routes());
        Optional<Instant> watermark = answers ? least(freshness, "completeUpTo") : Optional.empty();
        Optional<Duration> staleness = answers ? stalest(freshness) : Optional.empty();
        json.set(
                "freshness",
                QueryResultJson.of(new Freshness(
                        watermark, staleness.map(waited::plus), health, List.of(), Freshness.Quarantined.NONE, 0)));
    }

    /** The worst state of parts. */
    static IndexHealth worst(List<JsonNode> parts) {
        return Freshness.worst(
                parts.stream().map(one -> health(one.path("state").asText())).toList());
    }

    /** A state by its label; unknown where a worker of another version has another one. */
    private static IndexHealth health(String label) {
        return Stream.of(IndexHealth.values())
                .filter(health -> health.label().equals(label))
                .findFirst()
                .orElse(IndexHealth.UNKNOWN);
    }

    /** The least of a time that each part has; empty where one has none. */
    private static Optional<Instant> least(List<JsonNode> parts, String member) {
        boolean known = parts.stream().allMatch(one -> one.path(member).isTextual());
        return parts.stream()
                .filter(one -> known)
                .map(one -> Instant.parse(one.path(member).asText()))
                .min(Instant::compareTo);
    }

    /** The largest staleness of parts, as each has measured it; empty where one does not know it. */
    private static Optional<Duration> stalest(List<JsonNode> parts) {
        boolean known = parts.stream().allMatch(one -> one.path("stalenessMs").isIntegralNumber());
        return parts.stream()
                .filter(one -> known)
                .map(one -> Duration.ofMillis(one.path("stalenessMs").asLong()))
                .max(Duration::compareTo);
    }
}
