package dev.tidemark.worker.http;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.DefinitionJson;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.progress.OffsetNote;
import dev.tidemark.progress.Progress;
import dev.tidemark.worker.backfill.GenerationCleanupAgent;
import dev.tidemark.worker.backfill.RollbackWindow;
import dev.tidemark.worker.group.Owner;
import dev.tidemark.worker.group.ShardRoutes;
import dev.tidemark.worker.group.WorkerIdentity;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.InMemoryOwnerSource;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

/** A generation is replaced in two workers, of which the other one is slower. */
class GroupRollbackTest {
    private static final URI NOWHERE = URI.create("http://127.0.0.1:1");
    private static final String KEY = "\"key\":[\"town\",\"name\"]";

    private final List<DesiredIndex> retired = new ArrayList<>();
    private WorkerServer first;
    private WorkerServer other;
    private RollbackWindow window;
    private GenerationCleanupAgent agent;

    @BeforeEach
    void start() throws Exception {
        first = new WorkerServer(NOWHERE);
        other = new WorkerServer(NOWHERE);
        for (WorkerServer worker : List.of(first, other)) {
            Definitions present = worker.bench.definitions();
            String changed = DefinitionJson.of(present.catalog()).toString().replace(KEY, "\"key\":[\"town\"]");
            worker.bench.define(present.changed(Tables.catalog(changed), ChangeLog.START));
        }
        other.bench.withoutProofs();
        window = new RollbackWindow(first.bench.shards(), Duration.ofMinutes(15));
        agent = new GenerationCleanupAgent(
                first.bench::definitions,
                (index, version) -> retired.add(index),
                window,
                first.indexes::rollbackEnd,
                first.bench.clock());
    }

    @AfterEach
    void stop() {
        first.close();
        other.close();
    }

    @Test
    void theGenerationBeforeStaysUntilTheCurrentOneIsReadyAtAllWorkersOfTheGroup() throws Exception {
        open(first, 0, 1);
        open(other, 2, 3);
        note("a", 2, 3);
        goesOnlyOnceTheOtherWorkerIsReady();
    }

    @Test
    void theGenerationBeforeStaysUntilTheCurrentOneIsReadyInAllReplicaGroups() throws Exception {
        open(first, 0, 1, 2, 3);
        open(other, 0, 1, 2, 3);
        note("b", 0, 1, 2, 3);
        goesOnlyOnceTheOtherWorkerIsReady();
    }

    @Test
    void answersNameNoEndOfTheGenerationBeforeWhileAnotherReplicaGroupBuilds() throws Exception {
        open(first, 0, 1, 2, 3);
        open(other, 0, 1, 2, 3);
        note("b", 0, 1, 2, 3);
        for (JsonNode answer : answers()) {
            assertThat(answer.at("/life/state").asText()).isEqualTo("ready");
            assertThat(answer.at("/previous/generation").asLong()).isPositive();
            assertThat(answer.at("/previous/rollbackUntil").isMissingNode()).isTrue();
        }

        other.bench.proveAll();
        String end = end().orElseThrow().toString();
        for (JsonNode answer : answers()) {
            assertThat(answer.at("/previous/rollbackUntil").asText()).isEqualTo(end);
        }
    }

    /** What the first worker answers about the index, in the list and alone. */
    private List<JsonNode> answers() throws Exception {
        List<JsonNode> answers = new ArrayList<>(List.of(first.json("/v1/indexes/by_town")));
        for (JsonNode index : first.json("/v1/indexes").path("indexes")) {
            if (index.path("index").asText().equals("by_town")) {
                answers.add(index);
            }
        }
        assertThat(answers).hasSize(2);
        return answers;
    }

    @Test
    void theGenerationBeforeStaysWhileAWorkerDoesNotAnswerOrNoneHasAPartition() throws Exception {
        open(first, 0, 1, 2);
        first.bench.clock().advance(Duration.ofMinutes(20));
        agent.doWork();
        assertThat(retired).isEmpty();

        open(first, 3);
        note("b", 0);
        other.close();
        first.bench.clock().advance(Duration.ofMinutes(20));
        agent.doWork();
        assertThat(retired).isEmpty();
    }

    @Test
    void theGenerationBeforeStaysWhileAReplicaGroupHasMembersThatHaveNotedNothing() throws Exception {
        open(first, 0, 1, 2, 3);
        first.silentGroups.add("b");
        look();
        first.bench.clock().advance(Duration.ofMinutes(20));
        agent.doWork();
        assertThat(retired).isEmpty();

        first.silentGroups.clear();
        look();
        first.bench.clock().advance(Duration.ofMinutes(20));
        agent.doWork();
        assertThat(retired).containsExactly(index());
    }

    @Test
    void theGenerationBeforeStaysUntilTheReplicaGroupsAreKnown() throws Exception {
        open(first, 0, 1, 2, 3);
        ShardRoutes routes = new ShardRoutes(
                new WorkerIdentity(NOWHERE, "worker-1", ""),
                "a",
                new InMemoryOwnerSource(first.owners),
                () -> List.of("people"),
                first.bench.clock(),
                () -> {});
        GroupIndexes starting = new GroupIndexes(
                first.indexes.own(),
                new GroupParts(routes, first.indexes.group().peers()),
                first.bench::definitions);
        assertThat(starting.rollbackEnd(Tables.people(), index())).isEmpty();

        routes.agent().doWork();
        assertThat(starting.rollbackEnd(Tables.people(), index())).isPresent();
    }

    @Test
    void theAgentGoesOnWhereItCannotBeFoundOutWhenTheWindowOfOneIndexEnds() throws Exception {
        open(first, 0, 1, 2, 3);
        first.bench.clock().advance(Duration.ofMinutes(20));
        boolean[] failed = {false};
        GenerationCleanupAgent doubtful = new GenerationCleanupAgent(
                first.bench::definitions,
                (index, version) -> retired.add(index),
                window,
                (table, index) -> {
                    if (!failed[0]) {
                        failed[0] = true;
                        throw new IllegalArgumentException("expected an address");
                    }
                    return first.indexes.rollbackEnd(table, index);
                },
                first.bench.clock());
        doubtful.doWork();
        assertThat(failed[0]).isTrue();
        first.bench.clock().advance(Duration.ofSeconds(1));
        doubtful.doWork();
        assertThat(retired).contains(index());
    }

    private void goesOnlyOnceTheOtherWorkerIsReady() throws Exception {
        assertThat(window.end(Tables.people(), index())).isPresent();
        assertThat(first.indexes.rollbackEnd(Tables.people(), index())).isEmpty();
        first.bench.clock().advance(Duration.ofMinutes(20));
        agent.doWork();
        assertThat(retired).isEmpty();

        other.bench.clock().advance(Duration.ofMinutes(20));
        other.bench.proveAll();
        Instant ready = other.bench.clock().instant();
        assertThat(end()).contains(ready.plus(Duration.ofMinutes(15)));
        first.bench.clock().advance(Duration.ofMinutes(14));
        agent.doWork();
        assertThat(retired).isEmpty();
        for (int tries = 0; tries < 20 && retired.isEmpty(); tries++) {
            first.bench.clock().advance(Duration.ofMinutes(2));
            agent.doWork();
        }
        assertThat(retired).containsExactly(index());
    }

    /** The end, for which the other worker is asked again where it is not soon enough. */
    private Optional<Instant> end() {
        Optional<Instant> end = Optional.empty();
        for (int tries = 0; tries < 20 && end.isEmpty(); tries++) {
            end = first.indexes.rollbackEnd(Tables.people(), index());
        }
        return end;
    }

    private DesiredIndex index() {
        return first.bench.definitions().index("people", "by_town").orElseThrow();
    }

    private static void open(WorkerServer worker, int... partitions) {
        for (int partition : partitions) {
            OpenShard shard = worker.bench.open(new ShardId("people", partition));
            ChangeLog log = new ChangeLog(Tables.people());
            log.heartbeat(5);
            worker.bench.deliver(
                    shard, Objects.requireNonNull(shard.takeStart()).reading(), log.take());
        }
    }

    private void note(String group, int... partitions) throws InterruptedException {
        for (int partition : partitions) {
            OffsetNote note = new OffsetNote(
                    new Progress(ChangeLog.at(5), ChangeLog.version(5)),
                    URI.create(other.at("").toString()),
                    "worker-2",
                    new TreeSet<>());
            first.owners.add(new Owner(new ShardId("people", partition), group, true, note));
        }
        look();
    }

    private void look() throws InterruptedException {
        first.shardRoutes.look();
        first.shardRoutes.agent().doWork();
    }
}
