package dev.tidemark.worker.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.progress.IndexState;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.lifecycle.WaitingRoom;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.Workbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is answered while shards are built from the beginning of their topic, and afterwards. */
class RestoringShardsTest {
    private static final String CHANGED = """
            tables:
              people:
                primaryKey: id
                partitions: 4
                indexes:
                  by_town: { key: [town, id], projection: keys_only }
            """;
    private static final int PEOPLE = 20;
    private static final int REBUILT = 1;

    private final Workbench bench = new Workbench(Tables.catalog());
    private final TableDefinition people = Tables.people();
    private final QueryEngine engine = new QueryEngine(
            bench.lag(),
            new WaitingRoom(bench.bell(), 2),
            (table, keys, room) -> List.of(),
            MemoryBudget.unlimited().part("pages", 1),
            Optional::empty,
            bench.clock());
    private final Map<Integer, ChangeLog> logs = new HashMap<>();
    private final Map<Integer, LiveShard> shards = new HashMap<>();
    private final Map<Integer, Long> readings = new HashMap<>();

    @BeforeEach
    void fillTheTable() {
        for (int partition = 0; partition < people.partitions(); partition++) {
            logs.put(partition, new ChangeLog(people));
            assign(partition);
        }
        for (int id = 1; id <= PEOPLE; id++) {
            ChangeLog log = log(people.partitionOf(new ChangeLog(people).key(Integer.toString(id))));
            log.put(id, "{\"id\":" + id + ",\"town\":\"Oslo\",\"name\":\"N" + id + "\"}");
        }
        logs.values().forEach(log -> log.heartbeat(50));
        everyPartition(this::deliver);
    }

    @Test
    void aShardThatIsBuiltAgainIsNamedAndNotAnsweredAsIfItWereWhole() throws Exception {
        rebuild(REBUILT);
        for (int read = 0; read < log(REBUILT).end(); read++) {
            assertThatThrownBy(() -> ask("by_town"))
                    .isInstanceOfSatisfying(NotAnswerableException.class, refused -> {
                        Freshness freshness = refused.freshness().orElseThrow();
                        assertThat(freshness.state()).isEqualTo(IndexState.RESTORING);
                        assertThat(freshness.missingPartitions()).containsExactly(REBUILT);
                    })
                    .hasMessageContaining("table people")
                    .hasMessageContaining(
                            "partition 1 (restoring: built again from its topic, at offset " + read + ")");
            deliver(REBUILT, 1);
        }
        assertThat(ask("by_town").entries()).hasSize(PEOPLE);
    }

    @Test
    void aPartialAnswerNamesTheShardThatIsBuiltAgainAndHasNothingOfIt() throws Exception {
        List<Answer.Entry> all = ask("by_town").entries();
        rebuild(REBUILT);
        deliver(REBUILT, 1);

        Answer answer = ask("by_town", "allow_partial=true", "max_staleness=1h");

        assertThat(answer.freshness().missingPartitions()).containsExactly(REBUILT);
        assertThat(answer.freshness().state()).isEqualTo(IndexState.RESTORING);
        assertThat(answer.entries())
                .containsExactlyElementsOf(
                        all.stream().filter(entry -> entry.shard() != REBUILT).toList());
    }

    @Test
    void whatWasProvenAnswersAgainWithoutAnotherProofOnceItHasEverything() throws Exception {
        bench.withoutProofs();
        everyPartition(this::rebuild);
        assertThatThrownBy(() -> ask("by_town", "allow_partial=true")).isInstanceOf(NotAnswerableException.class);

        everyPartition(this::deliver);

        assertThat(ask("by_town").entries()).hasSize(PEOPLE);
        assertThat(ask("by_town").freshness().completeUpTo()).contains(ChangeLog.at(50));
    }

    @Test
    void whereNothingTellsWhatWasProvenItIsProvenFirst() throws Exception {
        bench.withoutProofs();
        everyPartition(partition -> {
            bench.shards().revoke(id(partition));
            bench.run();
            bench.stores().drop(id(partition));
            assign(partition);
            log(partition).rewind(0);
            deliver(partition);
        });
        assertThatThrownBy(() -> ask("by_town"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("lacks partition 0 (restoring")
                .hasMessageContaining("3 (restoring");

        bench.proveAll();

        assertThat(ask("by_town").entries()).hasSize(PEOPLE);
    }

    @Test
    void aGenerationThatWasNeverProvenDoesNotAnswerBecauseItsShardsAreBuiltAgain() throws Exception {
        bench.withoutProofs();
        Definitions before = bench.definitions();
        Catalog changed = new Catalog(
                List.of(Tables.films(), Tables.catalog(CHANGED).tables().get(0)));
        bench.define(before.changed(changed, ChangeLog.START));
        bench.run();
        long previous = generation(before);
        assertThat(serving()).isEqualTo(previous);
        IndexQuery ofCurrent =
                QueryParser.parse(Tables.names(bench::definitions).find("by_town"), Map.of(), QueryLimits.USUAL);
        assertThatThrownBy(() -> engine.answer(ofCurrent)).isInstanceOf(NotServingException.class);

        rebuild(REBUILT);
        assertThat(serving()).as("proven in all shards but one that restores").isEqualTo(previous);
        everyPartition(this::rebuild);
        everyPartition(this::deliver);

        assertThat(serving()).as("proven before").isEqualTo(previous);
        assertThat(ask("by_town").entries()).hasSize(PEOPLE);
        bench.proveAll();
        assertThat(serving()).isEqualTo(generation(bench.definitions())).isNotEqualTo(previous);
    }

    @Test
    void aShardThatIsOnlyBehindGoesOnAnsweringAndSaysHowOldThatIs() throws Exception {
        bench.clock().advance(Duration.ofSeconds(5));
        log(REBUILT).heartbeat(60);
        bench.shards().revoke(id(REBUILT));
        bench.run();
        assign(REBUILT);

        Answer answer = ask("by_town");

        assertThat(answer.entries()).hasSize(PEOPLE);
        assertThat(answer.freshness().state()).isEqualTo(IndexState.RESTORING);
        assertThat(answer.freshness().completeUpTo()).contains(ChangeLog.at(50));
    }

    @Test
    void aShardOfAnEmptyTopicAnswersAsSoonAsItHasHeardFromTheWriter() throws Exception {
        LiveShard films = bench.open(new ShardId("films", 0));
        long reading = Objects.requireNonNull(films.takeStart()).reading();
        assertThatThrownBy(() -> ask("by_year")).isInstanceOf(NotAnswerableException.class);

        bench.deliver(films, reading, new ChangeLog(Tables.films()).heartbeat(1).take());

        assertThat(ask("by_year").entries()).isEmpty();
    }

    private interface Step {
        void take(int partition);
    }

    private void everyPartition(Step step) {
        for (int partition = 0; partition < people.partitions(); partition++) {
            step.take(partition);
        }
    }

    private void assign(int partition) {
        bench.end(id(partition), log(partition).end());
        shards.put(partition, bench.open(id(partition)));
        begin(partition);
    }

    private void rebuild(int partition) {
        bench.end(id(partition), log(partition).end());
        shard(partition).requestRebuild("a test wants it");
        bench.run();
        log(partition).rewind(0);
        begin(partition);
    }

    private void begin(int partition) {
        readings.put(
                partition, Objects.requireNonNull(shard(partition).takeStart()).reading());
    }

    private void deliver(int partition) {
        bench.deliver(shard(partition), reading(partition), log(partition).take());
    }

    private void deliver(int partition, int records) {
        bench.deliver(shard(partition), reading(partition), log(partition).take(records));
    }

    private long serving() throws Exception {
        return engine.serving(Tables.names(bench::definitions).find("by_town"))
                .generation()
                .id();
    }

    private static long generation(Definitions definitions) {
        return definitions.index("people", "by_town").orElseThrow().current().id();
    }

    private Answer ask(String index, String... parameters) throws Exception {
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (String parameter : parameters) {
            String[] halves = parameter.split("=", 2);
            given.put(halves[0], new ArrayList<>(List.of(halves[1])));
        }
        IndexNames.Found serving =
                engine.serving(Tables.names(bench::definitions).find(index));
        return engine.answer(QueryParser.parse(serving, given, QueryLimits.USUAL));
    }

    private static ShardId id(int partition) {
        return new ShardId("people", partition);
    }

    private ChangeLog log(int partition) {
        return Objects.requireNonNull(logs.get(partition));
    }

    private LiveShard shard(int partition) {
        return Objects.requireNonNull(shards.get(partition));
    }

    private long reading(int partition) {
        return Objects.requireNonNull(readings.get(partition));
    }
}
