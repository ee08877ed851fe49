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
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.WaiterLimit;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

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

    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog());
    private final TableDefinition people = Tables.people();
    private final QueryEngine engine = engine(2);
    private final Map<Integer, ChangeLog> logs = new HashMap<>();
    private final Map<Integer, OpenShard> shards = new HashMap<>();
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
                        assertThat(freshness.state()).isEqualTo(IndexHealth.RESTORING);
                        assertThat(freshness.missingPartitions()).containsExactly(REBUILT);
                    })
                    .hasMessageContaining("table people")
                    .hasMessageContaining(
                            "partition 1 (restoring: built again from its topic, at offset " + read + ")");
            deliver(REBUILT, 1);
        }
        assertThat(ask("by_town").entries()).hasSize(PEOPLE);
        assertThat(fixture.stores().openReaders()).isZero();
    }

    @Test
    void saysWhyAShardCannotBeReadAtAll() throws Exception {
        shard(REBUILT).requestRebuild("a test wants it");
        shard(REBUILT).doWork();
        assertThatThrownBy(() -> ask("by_town"))
                .hasMessageContaining("partition 1 (restoring: about to be built again from its topic)");
        assertThat(ask("by_town", "allow_partial=true").freshness().state()).isEqualTo(IndexHealth.RESTORING);

        fixture.brokersAway(true);
        fixture.run();
        assertThatThrownBy(() -> ask("by_town")).hasMessageContaining("partition 1 (failed: ");

        fixture.brokersAway(false);
        fixture.shards().revoke(id(REBUILT));
        fixture.run();
        fixture.shards().assign(id(REBUILT));
        assertThatThrownBy(() -> ask("by_town")).hasMessageContaining("partition 1 (being opened)");
        assertThat(ask("by_town", "allow_partial=true").freshness().state()).isEqualTo(IndexHealth.UNKNOWN);
    }

    @Test
    void aPartialAnswerWaitsForNoShardThatItWillNotHold() throws Exception {
        QueryEngine impatient = engine(0);
        rebuild(REBUILT);
        deliver(REBUILT, 1);

        assertThat(ask(impatient, "by_town", "allow_partial=true", "max_staleness=1h")
                        .freshness()
                        .missingPartitions())
                .containsExactly(REBUILT);
        assertThatThrownBy(() -> ask(impatient, "by_town", "max_staleness=1h"))
                .hasMessageContaining("too many queries wait");
    }

    @Test
    void anIndexThatWasNeverProvenServesNobody() {
        fixture.withoutProofs();
        String byName = CHANGED.replace("by_town:", "by_name:").replace("[town,", "[name,");
        Catalog more = new Catalog(
                List.of(Tables.films(), Tables.catalog(byName).tables().get(0)));
        fixture.define(fixture.definitions().changed(more, ChangeLog.START));
        fixture.run();

        assertThatThrownBy(() -> ask("by_name"))
                .isInstanceOfSatisfying(
                        NotServingException.class,
                        refused -> assertThat(refused.index().definition().qualifiedName())
                                .isEqualTo("people.by_name"))
                .hasMessageContaining("people.by_name is not ready");
    }

    @Test
    void aPartialAnswerNamesTheShardThatIsBuiltAgainAndHasNothingOfIt() throws Exception {
        List<QueryResult.Entry> all = ask("by_town").entries();
        rebuild(REBUILT);
        deliver(REBUILT, 1);

        QueryResult answer = ask("by_town", "allow_partial=true", "max_staleness=1h");

        assertThat(answer.freshness().missingPartitions()).containsExactly(REBUILT);
        assertThat(answer.freshness().state()).isEqualTo(IndexHealth.RESTORING);
        assertThat(answer.entries())
                .containsExactlyElementsOf(
                        all.stream().filter(entry -> entry.shard() != REBUILT).toList());
    }

    @Test
    void whatWasProvenAnswersAgainWithoutAnotherProofOnceItHasEverything() throws Exception {
        fixture.withoutProofs();
        everyPartition(this::rebuild);
        assertThatThrownBy(() -> ask("by_town", "allow_partial=true")).isInstanceOf(NotAnswerableException.class);

        everyPartition(this::deliver);

        assertThat(ask("by_town").entries()).hasSize(PEOPLE);
        assertThat(ask("by_town").freshness().completeUpTo()).contains(ChangeLog.at(50));
    }

    @Test
    void whereNothingTellsWhatWasProvenItIsProvenFirst() throws Exception {
        fixture.withoutProofs();
        everyPartition(partition -> {
            fixture.shards().revoke(id(partition));
            fixture.run();
            fixture.stores().drop(id(partition));
            assign(partition);
            log(partition).rewind(0);
            deliver(partition);
        });
        assertThatThrownBy(() -> ask("by_town"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("lacks partition 0 (restoring")
                .hasMessageContaining("3 (restoring");

        fixture.proveAll();

        assertThat(ask("by_town").entries()).hasSize(PEOPLE);
    }

    @Test
    void aGenerationThatWasNeverProvenDoesNotAnswerBecauseItsShardsAreBuiltAgain() throws Exception {
        fixture.withoutProofs();
        Definitions before = fixture.definitions();
        Catalog changed = new Catalog(
                List.of(Tables.films(), Tables.catalog(CHANGED).tables().get(0)));
        fixture.define(before.changed(changed, ChangeLog.START));
        fixture.run();
        long previous = generation(before);
        assertThat(serving()).isEqualTo(previous);
        IndexQuery ofCurrent =
                QueryParser.parse(Tables.names(fixture::definitions).find("by_town"), Map.of(), QueryLimits.USUAL);
        assertThatThrownBy(() -> engine.answer(ofCurrent)).isInstanceOf(NotServingException.class);
        assertThat(engine.answerPeer(ofCurrent)).isInstanceOf(PeerAnswer.NotServing.class);

        rebuild(REBUILT);
        assertThat(serving()).as("proven in all shards but one that restores").isEqualTo(previous);
        everyPartition(this::rebuild);
        everyPartition(this::deliver);

        assertThat(serving()).as("proven before").isEqualTo(previous);
        assertThat(ask("by_town").entries()).hasSize(PEOPLE);
        fixture.proveAll();
        assertThat(serving()).isEqualTo(generation(fixture.definitions())).isNotEqualTo(previous);
    }

    @Test
    void aShardThatIsOnlyBehindGoesOnAnsweringAndSaysHowOldThatIs() throws Exception {
        fixture.clock().advance(Duration.ofSeconds(5));
        log(REBUILT).heartbeat(60);
        fixture.shards().revoke(id(REBUILT));
        fixture.run();
        assign(REBUILT);

        QueryResult answer = ask("by_town");

        assertThat(answer.entries()).hasSize(PEOPLE);
        assertThat(answer.freshness().state()).isEqualTo(IndexHealth.RESTORING);
        assertThat(answer.freshness().completeUpTo()).contains(ChangeLog.at(50));
    }

    @Test
    void aShardOfAnEmptyTopicAnswersAsSoonAsItHasHeardFromTheWriter() throws Exception {
        OpenShard films = fixture.open(new ShardId("films", 0));
        long reading = Objects.requireNonNull(films.takeStart()).reading();
        assertThatThrownBy(() -> ask("by_year")).isInstanceOf(NotAnswerableException.class);

        fixture.deliver(
                films, reading, new ChangeLog(Tables.films()).heartbeat(1).take());

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
        fixture.end(id(partition), log(partition).end());
        shards.put(partition, fixture.open(id(partition)));
        begin(partition);
    }

    private void rebuild(int partition) {
        fixture.end(id(partition), log(partition).end());
        shard(partition).requestRebuild("a test wants it");
        fixture.run();
        log(partition).rewind(0);
        begin(partition);
    }

    private void begin(int partition) {
        readings.put(
                partition, Objects.requireNonNull(shard(partition).takeStart()).reading());
    }

    private void deliver(int partition) {
        fixture.deliver(shard(partition), reading(partition), log(partition).take());
    }

    private void deliver(int partition, int records) {
        fixture.deliver(shard(partition), reading(partition), log(partition).take(records));
    }

    private long serving() throws Exception {
        return engine.serving(Tables.names(fixture::definitions).find("by_town"))
                .generation()
                .id();
    }

    private static long generation(Definitions definitions) {
        return definitions.index("people", "by_town").orElseThrow().current().id();
    }

    private QueryEngine engine(int waiting) {
        return new QueryEngine(
                fixture.lag(),
                new WaiterLimit(fixture.progressSignal(), waiting),
                (table, keys, room) -> List.of(),
                MemoryBudget.unlimited().part("pages", 1),
                Optional::empty,
                fixture.clock());
    }

    private QueryResult ask(String index, String... parameters) throws Exception {
        return ask(engine, index, parameters);
    }

    private QueryResult ask(QueryEngine asked, String index, String... parameters) throws Exception {
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (String parameter : parameters) {
            String[] halves = parameter.split("=", 2);
            given.put(halves[0], new ArrayList<>(List.of(halves[1])));
        }
        IndexNames.Found serving =
                asked.serving(Tables.names(fixture::definitions).find(index));
        return asked.answer(QueryParser.parse(serving, given, QueryLimits.USUAL));
    }

    private static ShardId id(int partition) {
        return new ShardId("people", partition);
    }

    private ChangeLog log(int partition) {
        return Objects.requireNonNull(logs.get(partition));
    }

    private OpenShard shard(int partition) {
        return Objects.requireNonNull(shards.get(partition));
    }

    private long reading(int partition) {
        return Objects.requireNonNull(readings.get(partition));
    }
}
