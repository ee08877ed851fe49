package dev.tidemark.writer.commit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryTerms;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.row.UnreadableRowException;

import static dev.tidemark.writer.testkit.TestTables.CUSTOMERS;
import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.json;
import static dev.tidemark.writer.testkit.TestTables.row;
import static dev.tidemark.writer.testkit.TestTables.rules;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class GroupPlannerTest {
    private static final Instant NOW = Instant.parse("2024-05-05T12:00:00Z");

    private final Map<KeyBytes, StoredRow> rows = new HashMap<>();
    private final MemoryBudget.Part memory = new MemoryBudget(1 << 20).part("queue", 1);
    private final GroupPlanner planner = new GroupPlanner(
            (table, key) -> rows.get(key), rules(), version(41), NOW, GroupPlannerTest::uncounted, memory);

    @Test
    void aPutOfANewRowCreatesIt() {
        assertThat(plan(put(1, "Redmond"))).containsExactly(new CommitOutcome.Written(version(42), shard(1), true));

        assertThat(planner.batch())
                .isEqualTo(new FactBatch(
                        List.of(change(
                                1,
                                new ChangeEvent.Upserted(
                                        customerKey(1), version(42), NOW, UpsertKind.CREATE, customer(1, "Redmond")))),
                        new CommitPosition(version(42), NOW),
                        Map.of(),
                        Map.of()));
    }

    @Test
    void aPutOfAnEqualRowIsAChangeToo() {
        store(1, 7, "Redmond");

        assertThat(plan(put(1, "Redmond"))).containsExactly(new CommitOutcome.Written(version(42), shard(1), false));
        assertThat(planner.batch().changes()).hasSize(1);
    }

    @Test
    void laterCommandsSeeEarlierOnes() {
        List<CommitOutcome> outcomes = plan(put(1, "a"), patch(1, "{'town':'b'}"), delete(1), delete(1), put(1, "c"));

        assertThat(outcomes)
                .containsExactly(
                        new CommitOutcome.Written(version(42), shard(1), true),
                        new CommitOutcome.Written(version(43), shard(1), false),
                        new CommitOutcome.Deleted(version(44), shard(1)),
                        new CommitOutcome.NotFound(),
                        new CommitOutcome.Written(version(45), shard(1), true));
    }

    @Test
    void laterRequestsSeeEarlierOnes() {
        plan(put(1, "a"));

        assertThat(plan(new WriteCommand.Delete(customerKey(1), new Precondition.IfVersion(Set.of(version(42))))))
                .containsExactly(new CommitOutcome.Deleted(version(43), shard(1)));
    }

    @Test
    void aPatchOfAnAbsentRowFindsNothing() {
        assertThat(plan(patch(1, "{'town':'b'}"))).containsExactly(new CommitOutcome.NotFound());
        assertThat(planner.batch().changes()).isEmpty();
        assertThat(planner.batch().through().version()).isEqualTo(version(41));
    }

    @Test
    void aPatchMergesIntoTheRow() {
        rows.put(customerKey(1), new StoredRow(version(3), NOW, row("{'customerId':1,'a':{'b':1,'c':2}}")));

        plan(patch(1, "{'a':{'b':null},'town':'x'}"));

        ChangeEvent.Upserted event =
                (ChangeEvent.Upserted) planner.batch().changes().get(0).event();
        assertThat(event.row()).isEqualTo(row("{'customerId':1,'a':{'c':2},'town':'x'}"));
        assertThat(event.operation()).isEqualTo(UpsertKind.UPDATE);
    }

    @Test
    void aPatchMayNotChangeTheKey() {
        store(1, 7, "Redmond");

        assertThat(plan(patch(1, "{'customerId':2}")))
                .singleElement()
                .isInstanceOfSatisfying(
                        CommitOutcome.Refused.class,
                        refused -> assertThat(refused.kind()).isEqualTo(RowRefusedException.Kind.INVALID));
        assertThat(planner.batch().changes()).isEmpty();
    }

    @Test
    void aPatchedRowMustSuitTheIndexes() {
        store(1, 7, "Redmond");

        assertThat(plan(patch(1, "{'town':[]}")))
                .singleElement()
                .isInstanceOfSatisfying(
                        CommitOutcome.Refused.class,
                        refused -> assertThat(refused.kind()).isEqualTo(RowRefusedException.Kind.UNINDEXABLE));
    }

    @Test
    void aPatchedRowHasNoMoreValuesThanARowThatIsReadMayHave() {
        RowRules roomy = new RowRules(CUSTOMERS, List.of(), 1 << 20, 0);
        GroupPlanner large = new GroupPlanner(
                (table, key) -> rows.get(key),
                Map.of("customers", roomy),
                version(41),
                NOW,
                GroupPlannerTest::uncounted,
                MemoryBudget.unlimited().part("queue", 1));
        String values = "1,".repeat(RowJson.MAX_TOKENS - 100) + "1";
        rows.put(customerKey(1), new StoredRow(version(3), NOW, row("{'customerId':1,'a':[" + values + "]}")));

        assertThat(large.plan(patches(1, "{'b':[" + "1,".repeat(100) + "1]}")))
                .singleElement()
                .isInstanceOfSatisfying(CommitOutcome.Refused.class, refused -> {
                    assertThat(refused.kind()).isEqualTo(RowRefusedException.Kind.TOO_MANY_VALUES);
                    assertThat(refused.detail()).contains("at most 250000").contains("250012");
                });
        assertThat(large.plan(patches(1, "{'b':[" + "1,".repeat(88) + "1]}")))
                .singleElement()
                .matches(CommitOutcome::applied);
    }

    @Test
    void conditionsLookAtTheRowAsItIs() {
        store(1, 7, "Redmond");

        assertThat(plan(
                        new WriteCommand.Put(customerKey(1), customer(1, "a"), Precondition.Presence.ABSENT),
                        new WriteCommand.Put(
                                customerKey(1), customer(1, "a"), new Precondition.IfVersion(Set.of(version(6)))),
                        new WriteCommand.Put(customerKey(2), customer(2, "a"), Precondition.Presence.PRESENT),
                        new WriteCommand.Put(
                                customerKey(1), customer(1, "a"), new Precondition.IfVersion(Set.of(version(7))))))
                .containsExactly(
                        new CommitOutcome.PreconditionFailed("no row", Optional.of(version(7))),
                        new CommitOutcome.PreconditionFailed(
                                "a row of the version in If-Match", Optional.of(version(7))),
                        new CommitOutcome.PreconditionFailed("a row", Optional.empty()),
                        new CommitOutcome.Written(version(42), shard(1), false));
    }

    @Test
    void anAtomicRequestThatFailsLeavesNothing() {
        List<CommitOutcome> outcomes =
                planner.plan(new WriteRequest("customers", List.of(put(1, "a"), delete(9), put(2, "b")), true, 0));

        assertThat(outcomes)
                .containsExactly(
                        new CommitOutcome.Abandoned(), new CommitOutcome.NotFound(), new CommitOutcome.Abandoned());
        assertThat(plan(put(1, "z"))).containsExactly(new CommitOutcome.Written(version(42), shard(1), true));
        assertThat(planner.batch().changes()).hasSize(1);
    }

    @Test
    void anAtomicRequestThatSucceedsIsLikeAnyOther() {
        List<CommitOutcome> outcomes =
                planner.plan(new WriteRequest("customers", List.of(put(1, "a"), put(1, "b")), true, 0));

        assertThat(outcomes)
                .containsExactly(
                        new CommitOutcome.Written(version(42), shard(1), true),
                        new CommitOutcome.Written(version(43), shard(1), false));
    }

    @Test
    void aPatchForWhoseTreeThereIsNoMemoryIsRefusedAlone() {
        store(1, 7, "x".repeat(1 << 19));
        store(2, 8, "Redmond");

        assertThat(plan(patch(1, "{'town':'b'}"), patch(2, "{'town':'b'}"), put(1, "c")))
                .containsExactly(
                        new CommitOutcome.NoMemory(),
                        new CommitOutcome.Written(version(42), shard(2), false),
                        new CommitOutcome.Written(version(43), shard(1), false));
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void aRowThatIsCheckedAgainKeepsNoTree() {
        byte[] bytes = customer(1, "Redmond").bytes().clone();
        WriteCommand.Put put = new WriteCommand.Put(customerKey(1), RowDocument.stored(bytes), Precondition.NONE);

        assertThat(plan(put)).singleElement().matches(CommitOutcome::applied);

        // Only a tree that was kept can be had now.
        Arrays.fill(bytes, (byte) '?');
        assertThatThrownBy(put.row()::tree).isInstanceOf(UnreadableRowException.class);
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void anAtomicRequestIsRefusedAsAWholeWhereThereIsNoMemoryToCheckARowAgain() {
        WriteRequest request =
                new WriteRequest("customers", List.of(put(1, "a"), put(2, "x".repeat(1 << 19))), true, 0);

        assertThat(planner.plan(request)).containsExactly(new CommitOutcome.Abandoned(), new CommitOutcome.NoMemory());
        assertThat(planner.batch().changes()).isEmpty();
    }

    @Test
    void keepsTheEpoch() {
        GroupPlanner third = new GroupPlanner(
                (table, key) -> null, rules(), new RowVersion(3, 9), NOW, GroupPlannerTest::uncounted, memory);

        assertThat(third.plan(new WriteRequest("customers", List.of(put(1, "a")), false, 0)))
                .containsExactly(new CommitOutcome.Written(new RowVersion(3, 10), shard(1), true));
    }

    @Test
    void whatWasDerivedOfARowIsCountedAndItsDigestsAreKeptForTheNextChange() {
        Map<Long, Digest> digests = Map.of(1L, new Digest(2, 3));
        List<String> counted = new ArrayList<>();
        Map<String, RowRules> known = rules();
        GroupPlanner counting = new GroupPlanner(
                (table, key) -> rows.get(key),
                known,
                version(41),
                NOW,
                (change, terms, before, delta) -> {
                    counted.add(terms.keySet() + " after "
                            + (before == null ? "nothing" : before.digests().keySet()));
                    return change.with(digests);
                },
                memory);

        WriteCommand put =
                new WriteCommand.Put(customerKey(1), customer(1, "a"), Map.of(1L, EntryTerms.NONE), Precondition.NONE);
        counting.plan(WriteRequest.of("customers", put, 0).checkedBy(Objects.requireNonNull(known.get("customers"))));
        counting.plan(WriteRequest.of("customers", new WriteCommand.Touch(customerKey(1), List.of()), 0));

        assertThat(counted).containsExactly("[1] after nothing", "[] after [1]");
        assertThat(counting.batch().changes())
                .allSatisfy(change -> assertThat(change.digests()).isEqualTo(digests));
    }

    private static CommittedChange uncounted(
            CommittedChange change, Map<Long, EntryTerms> terms, @Nullable StoredRow before, DigestDelta delta) {
        return change;
    }

    private List<CommitOutcome> plan(WriteCommand... commands) {
        return planner.plan(new WriteRequest("customers", List.of(commands), false, 0));
    }

    private static WriteRequest patches(long id, String patch) {
        return new WriteRequest("customers", List.of(patch(id, patch)), false, 0);
    }

    private void store(long id, long sequence, String town) {
        rows.put(customerKey(id), new StoredRow(version(sequence), NOW.minusSeconds(5), customer(id, town)));
    }

    private static WriteCommand put(long id, String town) {
        return new WriteCommand.Put(customerKey(id), customer(id, town), Precondition.NONE);
    }

    private static WriteCommand patch(long id, String patch) {
        return new WriteCommand.Patch(customerKey(id), json(patch), Precondition.NONE);
    }

    private static WriteCommand delete(long id) {
        return new WriteCommand.Delete(customerKey(id), Precondition.NONE);
    }

    private static CommittedChange change(long id, ChangeEvent event) {
        return new CommittedChange("customers", shard(id), event);
    }

    private static int shard(long id) {
        return CUSTOMERS.partitionOf(customerKey(id));
    }
}
