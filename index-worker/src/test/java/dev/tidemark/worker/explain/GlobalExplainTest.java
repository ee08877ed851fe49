package dev.tidemark.worker.explain;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.LongConsumer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.index.Absence;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.Progress;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.PartialRow;
import dev.tidemark.worker.explain.RowStatus.Kind;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.shard.WaiterLimit;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.PlacedPeople;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Explanations and receipts of rows in global indexes, whose partitions have them by their values. */
class GlobalExplainTest {
    private final WorkerFixture fixture = new WorkerFixture(PlacedPeople.catalog());
    private final PlacedPeople people = new PlacedPeople(fixture);
    private final Map<KeyBytes, FactTable.FactRow> facts = new HashMap<>();
    private final RowLookup rows = new RowLookup(fixture.lag(), Optional::empty);
    private Progress noted = Progress.UNKNOWN;
    private Optional<Boolean> answersElsewhere = Optional.empty();
    private int reads;

    /** How often the notes of other workers are found unread from now on. */
    private int unread;

    private final FactTable writer = (table, key, memory) -> {
        assertThat(table.name()).isEqualTo("people");
        reads++;
        memory.accept(100);
        return Optional.ofNullable(facts.get(key));
    };
    private final Explainer explainer = new Explainer(rows, writer);
    private final ReceiptService receipts = new ReceiptService(
            fixture::definitions,
            rows,
            new WaiterLimit(fixture.progressSignal(), 1),
            new GlobalReceipts(
                    rows, writer, shard -> noted, (shard, generation) -> answersElsewhere, table -> --unread < 0));

    @BeforeEach
    void open() {
        people.openAll();
        put(1, 1, "Oslo", "a", "b", "c", "d");
        people.heartbeat(5);
    }

    @Test
    void namesTheEntriesOfAllPartitions() throws Exception {
        assertThat(explain("by_town").outcome().kind()).isEqualTo(Kind.IN_INDEX);
        assertThat(explain("by_tag").sentence()).isEqualTo("the index holds the row with 4 entries");
        assertThat(explainer.shard(Tables.names(fixture::definitions).find("by_town"), people.key(1), bytes -> {}))
                .isEqualTo(people.shard("by_town", people.partitionOf("Oslo")));
    }

    @Test
    void aSaltedRowIsExplainedByThePartitionThatHasIt() throws Exception {
        fixture.define(fixture.definitions().changed(PlacedPeople.withSaltedTowns(), ChangeLog.START));
        people.openAll();
        for (int id = 1; id < 9; id++) {
            put(5 + id, id, "Oslo");
        }
        people.heartbeat(20);
        Set<ShardId> shards = new HashSet<>();
        for (int id = 1; id < 9; id++) {
            ShardId shard =
                    explainer.shard(Tables.names(fixture::definitions).find("by_town"), people.key(id), bytes -> {});
            try (ShardView view = fixture.shards()
                    .find(shard)
                    .orElseThrow()
                    .readIfOpen()
                    .orElseThrow()
                    .view()) {
                assertThat(view.rowState(people.key(id))).isPresent();
            }
            shards.add(shard);
        }
        assertThat(shards).hasSize(2);
        assertThat(explain("by_town").outcome().kind()).isEqualTo(Kind.IN_INDEX);
        assertThat(statuses(6)).containsEntry("by_town", Kind.VISIBLE);
    }

    @Test
    void aRowThatMayBeInAPartitionOfAnotherWorkerIsNotCalledDeletedWithoutTheWriter() throws Exception {
        put(6, 1, "Rome");
        people.heartbeat(7);
        Explainer alone = new Explainer(rows, (table, key, memory) -> {
            throw new NotAnswerableException("the writer does not answer");
        });
        IndexNames.Found index = Tables.names(fixture::definitions).find("by_town");
        assertThat(alone.explain(index, people.key(1), bytes -> {}).outcome().kind())
                .isEqualTo(Kind.IN_INDEX);

        fixture.shards().revoke(people.shard("by_town", people.partitionOf("Rome")));
        fixture.run();

        assertThat(alone.explain(index, people.key(1), bytes -> {}).outcome().kind())
                .isEqualTo(Kind.NOT_HELD);
        assertThat(alone.explainFromIndex(index, people.key(1)).outcome().kind())
                .isEqualTo(Kind.NOT_HELD);
    }

    @Test
    void aRowThatNoPartitionHasIsLeftOutForItsReason() throws Exception {
        put(6, 1, "Rome");
        people.heartbeat(7);
        Explanation explanation = explain("by_tag");
        assertThat(explanation.outcome()).isEqualTo(RowStatus.leftOut(Optional.of(new Absence.NoValue(0))));
        assertThat(explanation.sentence()).contains("key field tags holds no element");
    }

    @ParameterizedTest(name = "whose version can be read: {0}")
    @ValueSource(booleans = {true, false})
    void aRowIsInQuarantineWhereOneOfItsPartitionsGotARecordThatCannotBeApplied(boolean isVersionKnown)
            throws Exception {
        String[] tags = {"a", "b", "c", "d"};
        SortedSet<Integer> partitions = new EntryDeriver(
                        people.table().index("by_tag").orElseThrow())
                .partitions(people.key(1), PartialRow.of(ChangeLog.document(PlacedPeople.row(1, "Oslo", tags))));
        assertThat(partitions).hasSizeGreaterThan(1);
        ShardId damaged = people.shard("by_tag", partitions.last());
        people.lose(damaged);
        put(6, 1, "Oslo", tags);
        if (isVersionKnown) {
            people.log(damaged).garbage(6, "1");
        } else {
            people.log(damaged).garbage("1");
        }
        people.heartbeat(7);

        assertThat(explain("by_tag").outcome().kind()).isEqualTo(Kind.QUARANTINED);
        assertThat(statuses(6)).containsEntry("by_tag", Kind.QUARANTINED).containsEntry("by_town", Kind.VISIBLE);
    }

    @Test
    void aRowOnItsWayToAnotherPartitionIsNotAppliedYet() throws Exception {
        people.lose(people.shard("by_town", people.partitionOf("Rome")));
        put(6, 1, "Rome");
        people.deliver();
        assertThat(explain("by_town").outcome().kind()).isEqualTo(Kind.NOT_APPLIED);
        people.heartbeat(6);
        assertThat(explain("by_town").outcome().kind()).as("a change was lost").isEqualTo(Kind.INCONSISTENT);
    }

    @Test
    void aReceiptWaitsForEveryPartitionOfAGlobalIndex() throws Exception {
        put(6, 1, "Rome");
        people.deliver();
        // Those of Oslo and Rome have the change itself; none of the others had a heartbeat.
        people.heartbeat(6, people.shard("by_tag", 0)).heartbeat(6, people.shard("by_tag", 1));
        assertThat(statuses(6)).containsEntry("by_town", Kind.PENDING).containsEntry("by_name", Kind.VISIBLE);
        people.heartbeat(6);
        assertThat(statuses(6))
                .containsEntry("by_town", Kind.VISIBLE)
                .containsEntry("by_tag", Kind.NOT_APPLICABLE)
                .containsEntry("by_name", Kind.VISIBLE);
        put(7, 1, "Bern");
        people.heartbeat(8);
        assertThat(statuses(6)).containsEntry("by_town", Kind.SUPERSEDED).containsEntry("by_tag", Kind.SUPERSEDED);
    }

    @Test
    void aReceiptIsThatOfTheGenerationThatQueriesAreAnsweredFrom() throws Exception {
        fixture.define(fixture.definitions().changed(PlacedPeople.withSaltedTowns(), ChangeLog.START));
        put(6, 1, "Rome");
        people.deliver();
        noted = new Progress(ChangeLog.at(9), ChangeLog.version(9));
        answersElsewhere = Optional.of(false);
        assertThat(statuses(6)).as("another worker still verifies").containsEntry("by_town", Kind.PENDING);
        answersElsewhere = Optional.of(true);
        assertThat(statuses(6)).containsEntry("by_town", Kind.VISIBLE);

        fixture.withoutProofs();
        people.openAll().heartbeat(9);
        noted = new Progress(ChangeLog.at(5), ChangeLog.version(5));
        assertThat(statuses(6)).as("another replica group answers").containsEntry("by_town", Kind.PENDING);
        answersElsewhere = Optional.empty();
        assertThat(statuses(6)).as("the generation before answers").containsEntry("by_town", Kind.VISIBLE);
        answersElsewhere = Optional.of(true);
        fixture.proveAll();
        assertThat(statuses(6)).as("what is here answers").containsEntry("by_town", Kind.VISIBLE);
    }

    @Test
    void anIndexThatIsToBecomeLocalIsPendingInThePartitionsThatStillAnswer() throws Exception {
        fixture.define(fixture.definitions().changed(PlacedPeople.withLocalTowns(), ChangeLog.START));
        put(6, 1, "Rome");
        people.deliver();
        assertThat(statuses(6)).containsEntry("by_town", Kind.PENDING);
        people.heartbeat(6);
        assertThat(statuses(6)).containsEntry("by_town", Kind.VISIBLE);
    }

    @Test
    void aGlobalIndexStaysPendingWhileAnotherWorkerBuildsAPartitionOfItAgain() throws Exception {
        fixture.shards().revoke(people.shard("by_town", 0));
        answersElsewhere = Optional.of(false);
        assertThat(statuses(1)).containsEntry("by_town", Kind.PENDING);
    }

    @Test
    void noReceiptIsGivenBeforeItIsKnownWhatOtherWorkersHaveOfAGlobalIndex() throws Exception {
        leaveGlobalIndexes();
        SessionToken many = new SessionToken("people", Map.of(0, ChangeLog.version(5), 1, ChangeLog.version(5)));
        unread = Integer.MAX_VALUE;
        String reason = "the notes of other workers are not read yet";
        assertThatThrownBy(() -> statuses(1))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessage(reason);
        assertThatThrownBy(() -> receipts.ask(many, Duration.ZERO, bytes -> {}))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessage(reason);
        assertThatThrownBy(() -> receipts.late(many, Duration.ZERO))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessage(reason);

        unread = 0;
        answersElsewhere = Optional.of(true);
        assertThat(statuses(1))
                .containsEntry("by_town", Kind.PENDING)
                .containsEntry("by_tag", Kind.PENDING)
                .containsEntry("by_name", Kind.VISIBLE);
        assertThat(((Receipt.OfMany) receipts.ask(many, Duration.ZERO, bytes -> {})).late())
                .containsExactly("by_town", "by_tag");
        assertThat(receipts.late(many, Duration.ZERO)).containsExactly("by_town", "by_tag");
    }

    @Test
    void aReceiptThatWaitsIsGivenOnceTheNotesOfOtherWorkersAreRead() throws Exception {
        leaveGlobalIndexes();
        // Found unread more often than in the first turn: a receipt that does not rest in between runs out of turns.
        unread = 5;
        assertThat(statuses(1, Duration.ofMillis(500), bytes -> {})).containsEntry("by_name", Kind.VISIBLE);

        unread = 5;
        answersElsewhere = Optional.of(true);
        SessionToken many = new SessionToken("people", Map.of(0, ChangeLog.version(5), 1, ChangeLog.version(5)));
        assertThat(receipts.late(many, Duration.ofMillis(500))).containsExactly("by_town", "by_tag");
    }

    @Test
    void aReceiptIsPendingWhileAPartitionOfAGlobalIndexHasFailed() throws Exception {
        people.heartbeat(6);
        assertThat(statuses(1)).containsEntry("by_town", Kind.VISIBLE);
        fixture.stores()
                .opened(people.shard("by_town", people.partitionOf("Rome")))
                .failNextCommit(new IllegalStateException("the disk is full"));
        put(7, 2, "Rome");
        people.deliver();
        assertThat(statuses(1)).containsEntry("by_town", Kind.PENDING).containsEntry("by_tag", Kind.VISIBLE);
    }

    @Test
    void aReceiptIsPendingWhileAPartitionOfAGlobalIndexIsRestored() throws Exception {
        people.heartbeat(6);
        ShardId rome = people.shard("by_town", people.partitionOf("Rome"));
        fixture.shards().revoke(rome);
        fixture.run();
        fixture.stores().drop(rome);
        fixture.end(rome, 100);
        people.open(rome);

        assertThat(fixture.shards().find(rome).orElseThrow().isReadable()).isTrue();
        assertThat(statuses(1)).containsEntry("by_town", Kind.PENDING).containsEntry("by_tag", Kind.VISIBLE);
        SessionToken many = new SessionToken("people", Map.of(0, ChangeLog.version(5), 1, ChangeLog.version(5)));
        assertThat(((Receipt.OfMany) receipts.ask(many, Duration.ZERO, bytes -> {})).late())
                .containsExactly("by_town");
    }

    @Test
    void aReceiptThatWaitsReadsTheRowAtItsEndOnly() throws Exception {
        int partition = people.table().partitionOf(people.key(1));
        people.lose(new ShardId("people", partition));
        put(6, 1, "Rome");
        for (int town = 0; town < 3; town++) {
            people.heartbeat(6, people.shard("by_town", town));
        }
        // The progress of another worker gives no signal, so that the receipt is looked at again and again.
        fixture.shards().revoke(people.shard("by_tag", 0));
        List<Long> reserved = new ArrayList<>();

        Map<String, Kind> statuses = statuses(6, Duration.ofSeconds(1), reserved::add);

        assertThat(statuses)
                .containsEntry("by_town", Kind.VISIBLE)
                .containsEntry("by_tag", Kind.PENDING)
                .containsEntry("by_name", Kind.PENDING);
        assertThat(reserved).hasSize(1);
        assertThat(reads).as("the version of the row is compared too").isEqualTo(2);
    }

    @Test
    void aReceiptOfManyRowsNamesTheGlobalIndexesThatAreLate() throws Exception {
        SessionToken token = new SessionToken("people", Map.of(0, ChangeLog.version(6), 1, ChangeLog.version(4)));
        people.heartbeat(6, new ShardId("people", 0));
        for (int partition = 0; partition < 3; partition++) {
            people.heartbeat(6, people.shard("by_tag", partition));
        }
        Receipt.OfMany many = (Receipt.OfMany) receipts.ask(token, Duration.ZERO, bytes -> {});
        assertThat(many.late()).containsExactly("by_town");
        assertThat(many.isDecided()).isFalse();
        people.heartbeat(6);
        assertThat(receipts.ask(token, Duration.ZERO, bytes -> {}).isDecided()).isTrue();
    }

    private void put(long number, int id, String town, String... tags) {
        people.put(number, id, town, tags);
        facts.put(
                people.key(id),
                new FactTable.FactRow(ChangeLog.version(number), ChangeLog.document(PlacedPeople.row(id, town, tags))));
    }

    private void leaveGlobalIndexes() {
        for (int partition = 0; partition < 3; partition++) {
            fixture.shards().revoke(people.shard("by_town", partition));
            fixture.shards().revoke(people.shard("by_tag", partition));
        }
        fixture.run();
    }

    private Explanation explain(String index) throws Exception {
        return explainer.explain(Tables.names(fixture::definitions).find(index), people.key(1), bytes -> {});
    }

    private Map<String, Kind> statuses(long number) throws Exception {
        return statuses(number, Duration.ZERO, bytes -> {});
    }

    private Map<String, Kind> statuses(long number, Duration patience, LongConsumer memory) throws Exception {
        KeyBytes key = people.key(1);
        SessionToken token = SessionToken.of(
                "people",
                people.table().partitionOf(key),
                ChangeLog.version(number),
                new SessionToken.WrittenRow(key, false));
        Map<String, Kind> kinds = new HashMap<>();
        ((Receipt.OfRow) receipts.ask(token, patience, memory))
                .indexes()
                .forEach(one -> kinds.put(one.index().name(), one.status().kind()));
        return kinds;
    }
}
