package dev.tidemark.worker.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.worker.shard.WaiterLimit;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.PlacedPeople;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Queries of global indexes. Oslo, Rome and Bern are in three partitions. */
class GlobalQueriesTest {
    private final WorkerFixture fixture = new WorkerFixture(PlacedPeople.catalog());
    private final PlacedPeople people = new PlacedPeople(fixture);
    private final IndexNames names = Tables.names(fixture::definitions);
    private final QueryEngine engine = new QueryEngine(
            fixture.lag(),
            new WaiterLimit(fixture.progressSignal(), 2),
            (table, keys, room) -> List.of(),
            new MemoryBudget(64 << 20).part("pages", 1),
            Optional::empty,
            fixture.clock());

    @Test
    void anEqualityOnTheFirstPartAsksThePartitionThatHasIt() throws Exception {
        people.openAll().put(1, 1, "Oslo").put(2, 2, "Rome").put(3, 3, "Bern").heartbeat(9);
        for (String town : List.of("Oslo", "Rome", "Bern")) {
            IndexQuery query = parse("by_town", "town=" + town);
            assertThat(query.partitions()).containsExactly(people.partitionOf(town));
            assertThat(engine.answer(query).entries())
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.shard()).isEqualTo(people.partitionOf(town)));
        }
        assertThat(List.of("Oslo", "Rome", "Bern").stream().map(people::partitionOf))
                .doesNotHaveDuplicates();
    }

    @Test
    void anEqualityAsksAsManyPartitionsAsTheSaltAndMergesThemInOrder() throws Exception {
        fixture.define(Definitions.first(PlacedPeople.withSaltedTowns(), ChangeLog.START));
        people.openAll();
        for (int id = 9; id > 0; id--) {
            people.put(10 - id, id, "Oslo");
        }
        people.put(10, 10, "Rome").heartbeat(40);
        Set<Integer> asked = parse("by_town", "town=Oslo").partitions();
        assertThat(asked).hasSize(2);
        QueryResult whole = answer("by_town", "town=Oslo");
        assertThat(whole.entries().stream().map(QueryResult.Entry::shard).distinct())
                .containsExactlyInAnyOrderElementsOf(asked);
        assertThat(whole.entries().stream().map(this::id)).containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9");
        assertThat(paged("by_town", "town=Oslo")).containsExactlyElementsOf(ids("by_town", "town=Oslo"));

        for (int partition : asked) {
            assertThat(answer("by_town", "town=Oslo").freshness().staleness()).contains(Duration.ofSeconds(60));
            people.heartbeat(99, people.shard("by_town", partition));
        }
        assertThat(answer("by_town", "town=Oslo").freshness().staleness()).contains(Duration.ofSeconds(1));
        assertThat(answer("by_town").freshness().staleness()).contains(Duration.ofSeconds(60));
        String token = SessionToken.of("people", 1, ChangeLog.version(99)).encode();
        assertThat(ids("by_town", "town=Oslo", "token=" + token, "wait=1ms")).hasSize(9);
        assertThatThrownBy(() -> answer("by_town", "token=" + token, "wait=1ms"))
                .isInstanceOf(NotAnswerableException.class);
    }

    @Test
    void everyOtherQuestionAsksAllPartitions() throws Exception {
        people.openAll().put(1, 1, "Oslo").put(2, 2, "Rome").put(3, 3, "Bern").heartbeat(9);
        for (String condition : List.of("town.gte=Oslo", "town.prefix=Osl", "town.gt=Oslo", "limit=5")) {
            assertThat(parse("by_town", condition).partitions()).as(condition).containsExactly(0, 1, 2);
        }
        assertThat(ids("by_town")).containsExactly("3", "1", "2");
        assertThat(ids("by_town", "town.gte=Oslo", "order=desc")).containsExactly("2", "1");
        assertThat(parse("by_name", "name=N1").partitions()).as("a local index").containsExactly(0, 1);
    }

    @Test
    void aRowWithSeveralElementsIsFoundByEach() throws Exception {
        people.openAll().put(1, 1, "Oslo", "a", "b", "c", "d", "e").heartbeat(9);
        for (String tag : List.of("a", "b", "c", "d", "e")) {
            assertThat(parse("by_tag", "tags=" + tag).partitions()).hasSize(1);
            assertThat(ids("by_tag", "tags=" + tag)).containsExactly("1");
        }
        assertThat(ids("by_tag")).as("each entry once").hasSize(5);
    }

    @Test
    void anElementIsFoundThoughAnotherElementOfTheRowIsOfANewerVersion() throws Exception {
        List<String> tags = List.of("a", "b", "c", "d", "e");
        people.openAll().put(1, 1, "Oslo", tags.toArray(String[]::new)).heartbeat(9);
        int ahead = parse("by_tag", "tags=a").partitions().first();
        people.log(people.shard("by_tag", ahead)).put(10, PlacedPeople.row(1, "Oslo", tags.toArray(String[]::new)));
        people.heartbeat(11, people.shard("by_tag", ahead));

        assertThat(ids("by_tag")).as("each entry once").hasSize(5);
    }

    @Test
    void aShardKeepsNoEntriesOfOtherPartitions() throws Exception {
        people.openAll();
        for (int partition = 0; partition < 3; partition++) {
            people.log(people.shard("by_town", partition)).put(1, PlacedPeople.row(1, "Oslo"));
        }
        people.heartbeat(9);
        assertThat(ids("by_town")).containsExactly("1");
    }

    @Test
    void isAsFreshAsThePartitionsThatWereAsked() throws Exception {
        people.openAll().put(1, 1, "Oslo").heartbeat(40);
        people.heartbeat(99, people.shard("by_town", people.partitionOf("Oslo")));
        assertThat(answer("by_town", "town=Oslo").freshness().staleness()).contains(Duration.ofSeconds(1));
        assertThat(answer("by_town").freshness().staleness()).contains(Duration.ofSeconds(60));
        assertThat(answer("by_town", "town=Oslo", "max_staleness=5s").entries()).hasSize(1);
        assertThatThrownBy(() -> answer("by_town", "max_staleness=5s", "wait=1ms"))
                .isInstanceOf(NotAnswerableException.class);
    }

    @Test
    void aTokenOfAnyPartitionOfTheTableIsMetOnceThePartitionsAskedHaveIt() throws Exception {
        people.openAll().put(1, 1, "Oslo").heartbeat(8);
        for (int partition = 0; partition < 2; partition++) {
            String token =
                    SessionToken.of("people", partition, ChangeLog.version(9)).encode();
            assertThatThrownBy(() -> answer("by_town", "town=Oslo", "token=" + token, "wait=1ms"))
                    .isInstanceOf(NotAnswerableException.class)
                    .hasMessageContaining("partition " + people.partitionOf("Oslo"));
        }
        people.heartbeat(9, people.shard("by_town", people.partitionOf("Oslo")));
        String token = SessionToken.of("people", 1, ChangeLog.version(9)).encode();
        assertThat(answer("by_town", "town=Oslo", "token=" + token, "wait=1ms").entries())
                .hasSize(1);
        assertThatThrownBy(() -> answer("by_town", "town=Rome", "token=" + token, "wait=1ms"))
                .isInstanceOf(NotAnswerableException.class);
        people.heartbeat(9);
        assertThat(List.of("town=Rome", "town=Bern", "limit=1"))
                .allSatisfy(question -> assertThat(answer("by_town", question, "token=" + token, "wait=1ms"))
                        .isNotNull());
    }

    @Test
    void aRowThatIsFoundUnderTwoTermsIsAnsweredInItsNewerVersion() throws Exception {
        people.openAll().put(1, 1, "Oslo").heartbeat(5);
        people.lose(people.shard("by_town", people.partitionOf("Oslo")));
        people.put(6, 1, "Rome").heartbeat(7);
        assertThat(answer("by_town").entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.version()).isEqualTo(ChangeLog.version(6)));
        assertThat(ids("by_town", "town=Oslo")).as("what was lost").containsExactly("1");
    }

    @Test
    void pagesFitTogetherInOnePartitionAndOverAll() throws Exception {
        people.openAll();
        for (int id = 1; id <= 9; id++) {
            people.put(id, id, id % 3 == 0 ? "Rome" : "Oslo");
        }
        people.heartbeat(20);
        for (String condition : List.of("town=Oslo", "town.gte=A")) {
            assertThat(paged("by_town", condition)).containsExactlyElementsOf(ids("by_town", condition));
        }
    }

    @Test
    void anIndexThatBecomesGlobalServesOnceEveryPartitionHasAWatermark() throws Exception {
        fixture.define(Definitions.first(PlacedPeople.withLocalTowns(), ChangeLog.START));
        people.openAll().put(1, 1, "Oslo").heartbeat(5);
        assertThat(serving()).as("local").isEqualTo(1);

        fixture.define(fixture.definitions().changed(PlacedPeople.catalog(), ChangeLog.START));
        assertThat(serving()).as("no shard is here").isEqualTo(1);
        people.open(people.shard("by_town", 2));
        people.heartbeat(5);
        assertThat(serving()).as("others are not open yet").isEqualTo(1);
        people.openAll();
        ShardId oslo = people.shard("by_town", people.partitionOf("Oslo"));
        people.log(oslo).put(1, UpsertKind.READ, PlacedPeople.row(1, "Oslo"));
        people.put(6, 2, "Rome").put(7, 2, "Bern").deliver();
        assertThat(serving()).as("changes are placed, and no heartbeat came").isEqualTo(1);
        assertThat(answer("by_town", "town=Oslo").entries()).hasSize(1);

        people.heartbeat(8, people.shard("by_town", 0));
        assertThat(serving()).as("one partition lacks it").isEqualTo(1);
        people.heartbeat(8);
        assertThat(serving()).isEqualTo(4);
        assertThat(ids("by_town")).containsExactly("2", "1");
    }

    @Test
    void aWorkerWithAShardOfTheOldGenerationDoesNotAskTheNewOneOfWhichItHasNothing() throws Exception {
        fixture.define(Definitions.first(PlacedPeople.withLocalTowns(), ChangeLog.START));
        people.open(new ShardId("people", 0));
        people.heartbeat(5);
        fixture.define(fixture.definitions().changed(PlacedPeople.catalog(), ChangeLog.START));
        assertThat(serving()).isEqualTo(1);
    }

    @Test
    void anIndexThatIsGlobalFromTheBeginningIsBeingBuiltUntilThen() throws Exception {
        people.openAll().put(1, 1, "Oslo").deliver();
        people.heartbeat(5, new ShardId("people", 0)).heartbeat(5, new ShardId("people", 1));
        assertThatThrownBy(this::serving).isInstanceOf(NotServingException.class);
        people.heartbeat(6);
        assertThat(serving()).isEqualTo(1);
    }

    private long serving() throws Exception {
        return engine.serving(names.find("by_town")).generation().id();
    }

    private QueryResult answer(String index, String... parameters) throws Exception {
        return engine.answer(parse(index, parameters));
    }

    private List<String> ids(String index, String... parameters) throws Exception {
        return answer(index, parameters).entries().stream().map(this::id).toList();
    }

    private List<String> paged(String index, String condition) throws Exception {
        QueryResult page = answer(index, condition, "limit=2");
        List<QueryResult.Entry> paged = new ArrayList<>(page.entries());
        while (page.next().isPresent()) {
            page = answer(index, condition, "limit=2", "cursor=" + page.next().get());
            paged.addAll(page.entries());
        }
        return paged.stream().map(this::id).toList();
    }

    private String id(QueryResult.Entry entry) {
        try {
            return people.table().keyToJson(entry.primaryKey()).toString();
        } catch (MalformedKeyException e) {
            throw new IllegalStateException(e);
        }
    }

    private IndexQuery parse(String index, String... parameters) throws Exception {
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (String parameter : parameters) {
            String[] halves = parameter.split("=", 2);
            given.put(halves[0], List.of(halves[1]));
        }
        return QueryParser.parse(engine.serving(names.find(index)), given, QueryLimits.USUAL);
    }
}
