package dev.tidemark.writer.commit;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.RowSource;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;

import static dev.tidemark.writer.testkit.TestTables.CUSTOMERS;
import static dev.tidemark.writer.testkit.TestTables.MAX_ROW_BYTES;
import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.json;
import static dev.tidemark.writer.testkit.TestTables.row;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the changes of a source do to a table that follows it. */
class SourceRequestTest {
    private static final Instant NOW = Instant.parse("2024-05-05T12:00:00Z");
    private static final RowSource SHOP = new RowSource("shop", "public.customers");
    private static final Map<String, Long> FOLLOWERS = Map.of("customers", 3L);

    private final Map<KeyBytes, StoredRow> rows = new HashMap<>();
    private Optional<SourcePosition> stored = Optional.empty();
    private boolean cutOff;
    private final GroupPlanner planner = planner(following(SHOP));

    @Test
    void theFirstChangesAreCommittedWithThePositionThatTheyLeadTo() {
        assertThat(planner.plan(request(0, put(1, "a"), put(2, "b"))))
                .containsExactly(written(42, 1, true), written(43, 2, true));

        assertThat(planner.batch().changes()).hasSize(2);
        assertThat(planner.batch().sources()).isEqualTo(Map.of("shop", position(1)));
    }

    @Test
    void laterChangesOfAGroupGoOnFromTheEarlierOnes() {
        assertThat(planner.plan(request(0, put(1, "a")))).containsExactly(written(42, 1, true));
        assertThat(planner.plan(request(0, put(1, "b"))))
                .containsExactly(new CommitOutcome.PositionMoved(Optional.of(position(1))));
        assertThat(planner.plan(request(1, put(1, "c")))).containsExactly(written(43, 1, false));

        assertThat(planner.batch().sources()).isEqualTo(Map.of("shop", position(2)));
    }

    @Test
    void changesThatDoNotGoOnFromWhereTheSourceStandsAreNotTaken() {
        assertThat(planner.plan(request(1, put(1, "a"))))
                .containsExactly(new CommitOutcome.PositionMoved(Optional.empty()));

        stored = Optional.of(position(5));
        for (int after : new int[] {0, 4, 6}) {
            assertThat(planner.plan(request(after, put(1, "a"))))
                    .containsExactly(new CommitOutcome.PositionMoved(stored));
        }
        assertThat(planner.batch().isEmpty()).isTrue();

        assertThat(planner.plan(request(5, put(1, "a")))).containsExactly(written(42, 1, true));
    }

    @Test
    void aRowThatIsRefusedKeepsTheOthersAndThePositionBack() {
        List<CommitOutcome> outcomes = planner.plan(request(0, put(1, "a"), unindexable(2)));

        assertThat(outcomes.get(0)).isEqualTo(new CommitOutcome.Abandoned());
        refused(outcomes.get(1), RowRefusedException.Kind.UNINDEXABLE, "by_town");
        assertThat(outcomes).hasSize(2);
        assertThat(planner.batch().isEmpty()).isTrue();
    }

    @Test
    void aLenientSourceBringsRowsThatAnIndexCannotHold() {
        SourceRequest strict = request(0, unindexable(1));
        SourceRequest lenient = new SourceRequest(
                "shop",
                FOLLOWERS,
                strict.after(),
                strict.position(),
                Optional.empty(),
                Optional.empty(),
                strict.parts(),
                true);

        assertThat(planner.plan(lenient)).containsExactly(written(42, 1, true));
        assertThat(rowOf(planner.batch().changes().get(0))).isEqualTo("{\"customerId\":1,\"town\":{}}");
    }

    @Test
    void aRowThatIsNotThereToBeDeletedOrHasBecomeTooNewIsInTheWayOfNothing() {
        store(2, 6);
        store(3, 7);

        assertThat(planner.plan(request(0, delete(1), deleteBefore(1, 7), deleteBefore(2, 7), deleteBefore(3, 7))))
                .containsExactly(
                        new CommitOutcome.NotFound(),
                        new CommitOutcome.NotFound(),
                        new CommitOutcome.Deleted(version(42), partition(2)),
                        new CommitOutcome.PreconditionFailed(
                                "a row before version 0001000000000000007", Optional.of(version(7))));
        assertThat(planner.batch().sources()).containsKey("shop");
    }

    @Test
    void aRowKeepsTheMembersThatTheSourceHasNotSent() {
        rows.put(
                customerKey(1),
                new StoredRow(version(7), NOW, row("{'customerId':1,'town':'a','text':'long','old':true}")));

        assertThat(planner.plan(request(0, fill("text")))).containsExactly(written(42, 1, false));
        assertThat(rowOf(planner.batch().changes().get(0)))
                .isEqualTo("{\"customerId\":1,\"town\":\"b\",\"text\":\"long\"}");
    }

    @Test
    void aMemberThatIsNotThereCannotBeKept() {
        List<CommitOutcome> withoutRow = planner.plan(request(0, fill("text")));
        store(1, 7);
        List<CommitOutcome> withoutMember = planner.plan(request(0, fill("town", "text")));

        refused(withoutRow.get(0), RowRefusedException.Kind.NOTHING_TO_KEEP, "a row to keep [text] of");
        refused(withoutMember.get(0), RowRefusedException.Kind.NOTHING_TO_KEEP, "text in the row that is there");
        assertThat(planner.batch().isEmpty()).isTrue();
    }

    @Test
    void aRowThatHasTooManyValuesWithWhatItKeepsIsRefused() {
        String values = "[0" + ",0".repeat(RowJson.MAX_TOKENS - 100) + "]";
        rows.put(customerKey(1), new StoredRow(version(7), NOW, row("{'customerId':1,'text':" + values + "}")));
        ObjectNode row = json("{'customerId':1,'more':[0" + ",0".repeat(100) + "]}");

        List<CommitOutcome> outcomes = planner(following(SHOP, 2 << 20))
                .plan(request(0, new WriteCommand.Fill(customerKey(1), row, List.of("text"))));

        refused(outcomes.get(0), RowRefusedException.Kind.TOO_MANY_VALUES, "at most 250000 values");
    }

    @Test
    void moreRowsThanFitIntoABatchAreNotFilledAtOnce() {
        GroupPlanner large = planner(following(SHOP, 2 << 20));
        WriteCommand[] fills = new WriteCommand[40];
        for (int id = 0; id < fills.length; id++) {
            String text = "x".repeat(1 << 20);
            rows.put(
                    customerKey(id),
                    new StoredRow(version(7), NOW, row("{'customerId':" + id + ",'text':'" + text + "'}")));
            fills[id] = new WriteCommand.Fill(customerKey(id), json("{'customerId':" + id + "}"), List.of("text"));
        }

        assertThat(large.plan(request(0, fills))).noneMatch(CommitOutcome::applied);
        assertThat(large.batch().isEmpty()).isTrue();

        assertThat(large.plan(request(0, fills[0], fills[1]))).allMatch(CommitOutcome::applied);
        assertThat(large.plan(request(1, fills[0], put(101, "a")))).allMatch(CommitOutcome::applied);
    }

    @Test
    void aSourceCannotWriteToATableThatFollowsAnother() {
        GroupPlanner other = planner(following(new RowSource("mall", "public.customers")));

        assertThatThrownBy(() -> other.plan(request(0, put(1, "a"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("customers to follow source shop");
        assertThatThrownBy(() -> planner(new RowRules(CUSTOMERS, List.of(), MAX_ROW_BYTES, 0))
                        .plan(request(0, put(1, "a"))))
                .isInstanceOf(IllegalStateException.class);
        assertThat(other.batch().isEmpty()).isTrue();
    }

    @Test
    void nothingButTheSourceChangesATableThatFollowsIt() {
        store(1, 7);
        WriteCommand touch = new WriteCommand.Touch(customerKey(1), List.of());

        assertThat(planner.plan(new WriteRequest("customers", List.of(touch, put(1, "b")), false, 0)))
                .containsExactly(new CommitOutcome.Followed(SHOP), new CommitOutcome.Followed(SHOP));
        assertThat(planner.batch().isEmpty()).isTrue();

        assertThat(planner.plan(WriteRequest.of("customers", touch, 0)))
                .as("the writer states a row once more")
                .containsExactly(written(42, 1, false));
    }

    @Test
    void aDeleteOfRowsFromBeforeAVersionIsRefusedOnceTheWriterHasStatedRowsOnceMoreSince() {
        store(1, 7);
        store(2, 7);
        stored = Optional.of(position(5));
        planner.plan(WriteRequest.of("customers", new WriteCommand.Touch(customerKey(1), List.of()), 0));

        assertThat(planner.plan(request(5, put(3, "a"), deleteBefore(2, 42))))
                .containsExactly(new CommitOutcome.Restated(version(42)));
        assertThat(planner.batch().changes()).hasSize(1);
        assertThat(planner.batch().sources())
                .isEqualTo(Map.of("shop", position(5).restated(version(42))));

        assertThat(planner.plan(request(5, put(3, "a"), deleteBefore(2, 43)))).hasSize(2);
        assertThat(planner.batch().sources())
                .as("the next batch does not forget it")
                .isEqualTo(Map.of("shop", position(6).restated(version(42))));
    }

    @Test
    void aRowIsNotStatedOnceMoreWhereThePositionOfItsSourceCannotBeRead() {
        store(1, 7);
        WriteRequest touch = WriteRequest.of("customers", new WriteCommand.Touch(customerKey(1), List.of()), 0);
        cutOff = true;

        assertThatThrownBy(() -> planner.plan(touch)).isInstanceOf(FactsUnavailableException.class);

        assertThat(planner.batch().isEmpty()).isTrue();
    }

    @Test
    void statingThatARowIsAbsentHindersNoDelete() {
        stored = Optional.of(position(5));

        planner.plan(WriteRequest.of("customers", new WriteCommand.Touch(customerKey(1), List.of()), 0));

        assertThat(planner.batch().sources()).isEmpty();
    }

    @Test
    void theWatermarkNeverGoesBack() {
        assertThat(watermark(Optional.empty(), Optional.empty())).isEmpty();
        assertThat(watermark(Optional.empty(), Optional.of(NOW))).contains(NOW);
        assertThat(watermark(Optional.of(NOW), Optional.empty())).contains(NOW);
        assertThat(watermark(Optional.of(NOW), Optional.of(NOW.plusSeconds(1)))).contains(NOW.plusSeconds(1));
        assertThat(watermark(Optional.of(NOW), Optional.of(NOW.minusSeconds(1))))
                .contains(NOW);
    }

    @Test
    void theWatermarkIsAboutTheTablesThatItWasAboutUnlessTheSourceNamesOthers() {
        Map<String, Long> followers = Map.of("customers", 4L, "movies", 5L);
        Optional<SourcePosition> before = Optional.of(position(1));

        assertThat(about(followers, Optional.empty(), Optional.empty())).isEqualTo(followers);
        assertThat(about(followers, Optional.empty(), before)).isEqualTo(FOLLOWERS);
        assertThat(about(followers, Optional.of(Set.of("movies")), before)).isEqualTo(Map.of("movies", 5L));
    }

    @Test
    void aTableIsAddedOnlyWithAWatermarkThatIsNotBeforeTheStoredOne() {
        stored = Optional.of(new SourcePosition(lsn(1), Optional.of(NOW), Map.of("movies", 3L), RowVersion.NONE));

        assertThat(planner.plan(naming(Optional.empty(), "customers")))
                .containsExactly(new CommitOutcome.WatermarkTooEarly(Optional.of(NOW)));
        assertThat(planner.plan(naming(Optional.of(NOW.minusMillis(1)), "customers")))
                .containsExactly(new CommitOutcome.WatermarkTooEarly(Optional.of(NOW)));
        assertThat(planner.batch().isEmpty()).isTrue();

        assertThat(planner.plan(naming(Optional.of(NOW), "customers"))).isEmpty();
        assertThat(planner.batch().sources().get("shop"))
                .isEqualTo(new SourcePosition(lsn(1), Optional.of(NOW), FOLLOWERS, RowVersion.NONE));
        assertThat(planner.plan(naming(Optional.empty(), "customers"))).isEmpty();
        assertThat(planner.plan(naming(Optional.empty()))).isEmpty();
    }

    private static SourceRequest naming(Optional<Instant> watermark, String... tables) {
        return new SourceRequest(
                "shop",
                FOLLOWERS,
                Optional.of(lsn(1)),
                lsn(1),
                watermark,
                Optional.of(Set.of(tables)),
                List.of(),
                true);
    }

    @Test
    void countsItsRowsAndItsPosition() {
        SourceRequest idle = request(0);
        SourceRequest full = request(0, put(1, "a"), put(2, "b"));
        WriteRequest part = full.parts().get(0);
        SourceRequest far = new SourceRequest(
                "shop",
                FOLLOWERS,
                Optional.empty(),
                json("{'lsn':'" + "x".repeat(1_000) + "'}"),
                Optional.empty(),
                Optional.empty(),
                full.parts(),
                false);

        assertThat(full.bytes()).isEqualTo(idle.bytes() + part.bytes());
        assertThat(full.heapBytes()).isEqualTo(idle.heapBytes() + part.heapBytes());
        assertThat(idle.bytes()).isPositive();
        assertThat(idle.heapBytes()).isGreaterThan(idle.bytes());
        assertThat(far.bytes()).isGreaterThan(full.bytes() + 1_000);
        assertThat(far.heapBytes()).isGreaterThan(full.heapBytes() + 1_000);
    }

    @Test
    void asksForTheTablesThatFollowEvenWhereItBringsNoRows() {
        assertThat(request(0).tables()).containsExactly("customers");
    }

    /** The watermark after a statement, where another one was stored. */
    private static Optional<Instant> watermark(Optional<Instant> former, Optional<Instant> stated) {
        return new SourceRequest("shop", FOLLOWERS, Optional.empty(), lsn(1), stated, Optional.empty(), List.of(), true)
                .from(Optional.of(new SourcePosition(lsn(1), former, FOLLOWERS, RowVersion.NONE)))
                .watermark();
    }

    /** The tables that the watermark is about afterwards. */
    private static Map<String, Long> about(
            Map<String, Long> followers, Optional<Set<String>> covered, Optional<SourcePosition> former) {
        return new SourceRequest(
                        "shop", followers, Optional.empty(), lsn(1), Optional.empty(), covered, List.of(), true)
                .from(former)
                .tables();
    }

    private GroupPlanner planner(RowRules rules) {
        GroupPlanner.Rows before = new GroupPlanner.Rows() {
            @Override
            public @Nullable StoredRow current(String table, KeyBytes key) {
                return rows.get(key);
            }

            @Override
            public Optional<SourcePosition> currentPosition(String source) {
                if (cutOff) {
                    throw new FactsUnavailableException("the connection is broken");
                }
                return stored;
            }
        };
        return new GroupPlanner(
                before,
                Map.of("customers", rules),
                version(41),
                NOW,
                (change, terms, row, delta) -> change,
                MemoryBudget.unlimited().part("queue", 1));
    }

    private static RowRules following(RowSource source) {
        return following(source, MAX_ROW_BYTES);
    }

    private static RowRules following(RowSource source, int maxRowBytes) {
        TableDefinition table = new TableDefinition(
                "customers", CUSTOMERS.primaryKey(), CUSTOMERS.partitions(), CUSTOMERS.indexes(), Optional.of(source));
        return new RowRules(table, List.of(), maxRowBytes, 3);
    }

    /** Changes that lead from one position, or from none, to the next. */
    private static SourceRequest request(int after, WriteCommand... commands) {
        return new SourceRequest(
                "shop",
                FOLLOWERS,
                after == 0 ? Optional.empty() : Optional.of(lsn(after)),
                lsn(after + 1),
                Optional.empty(),
                Optional.empty(),
                commands.length == 0 ? List.of() : List.of(new WriteRequest("customers", List.of(commands), true, 10)),
                false);
    }

    private static SourcePosition position(int lsn) {
        return new SourcePosition(lsn(lsn), Optional.empty(), FOLLOWERS, RowVersion.NONE);
    }

    private static ObjectNode lsn(int number) {
        return json("{'lsn':" + number + "}");
    }

    private void store(long id, long sequence) {
        rows.put(customerKey(id), new StoredRow(version(sequence), NOW, customer(id, "a")));
    }

    private static WriteCommand put(long id, String town) {
        return new WriteCommand.Put(customerKey(id), customer(id, town), Precondition.NONE);
    }

    private static WriteCommand unindexable(long id) {
        return new WriteCommand.Put(customerKey(id), row("{'customerId':" + id + ",'town':{}}"), Precondition.NONE);
    }

    private static WriteCommand fill(String... kept) {
        return new WriteCommand.Fill(customerKey(1), json("{'customerId':1,'town':'b'}"), List.of(kept));
    }

    private static WriteCommand delete(long id) {
        return new WriteCommand.Delete(customerKey(id), Precondition.NONE);
    }

    private static WriteCommand deleteBefore(long id, long sequence) {
        return new WriteCommand.Delete(customerKey(id), new Precondition.IfBefore(version(sequence)));
    }

    private static CommitOutcome written(long sequence, long id, boolean created) {
        return new CommitOutcome.Written(version(sequence), partition(id), created);
    }

    private static int partition(long id) {
        return CUSTOMERS.partitionOf(customerKey(id));
    }

    private static String rowOf(CommittedChange change) {
        return ((ChangeEvent.Upserted) change.event()).row().tree().toString();
    }

    private static void refused(CommitOutcome outcome, RowRefusedException.Kind kind, String detail) {
        assertThat(outcome).isInstanceOfSatisfying(CommitOutcome.Refused.class, refused -> {
            assertThat(refused.kind()).isEqualTo(kind);
            assertThat(refused.detail()).contains(detail);
        });
    }
}
