package dev.tidemark.worker.apply;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.RowState.Times;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class RepairPlannerTest {
    private static final String ALIEN = "{\"id\":1,\"title\":\"Alien\",\"year\":1979,\"cast\":[\"Weaver\"]}";
    private static final KeyBytes KEY = new ChangeLog(Tables.films()).key("1");
    private static final long BY_ACTOR = 1;

    private final RowPlanner planner = new RowPlanner(Tables.films(), 0, Tables.generations(Tables.films()));

    @Test
    void everyEntryThatARowShouldHaveIsPutWithItsRealVersion() {
        RowChange.Applied plan = applied(known(5), fact(5, Set.of()));

        assertThat(plan.mutations()).hasSize(3).allMatch(IndexMutation.PutEntry.class::isInstance);
        assertThat(plan.state()).isEqualTo(known(5));
    }

    @Test
    void anEntryThatWasSeenAndShouldNotBeIsRemovedAndNoOther() {
        KeyBytes extra = KeyBytes.wrap(new byte[] {9}).concat(KEY);

        RowChange.Applied plan = applied(known(5), fact(5, Set.of(extra)));

        assertThat(plan.mutations())
                .filteredOn(IndexMutation.RemoveEntry.class::isInstance)
                .containsExactly(new IndexMutation.RemoveEntry(BY_ACTOR, extra));
    }

    @Test
    void whenARowCameAboutIsKeptForTheSameVersionOnly() {
        Times times = Times.of(ChangeLog.at(5), ChangeLog.at(6));
        Optional<RowState> timed = known(5).map(state -> state.at(times));

        assertThat(applied(timed, fact(5, Set.of())).state().flatMap(RowState::times))
                .contains(times);
        assertThat(applied(timed, fact(6, Set.of())).state().flatMap(RowState::times))
                .isEmpty();
    }

    @Test
    void aRowOfWhichNothingIsKnownIsMadeKnown() {
        assertThat(applied(Optional.empty(), fact(5, Set.of())).state().map(RowState::version))
                .contains(ChangeLog.version(5));
    }

    @Test
    void aRowKnownInALaterVersionIsLeftAlone() {
        assertThat(planner.repair(known(6), fact(5, Set.of()))).isEqualTo(new RowChange.Stale());
        assertThat(planner.repair(known(6), gone(5, Set.of()))).isEqualTo(new RowChange.Stale());
    }

    @Test
    void aRowKnownInALaterVersionThatTheWriterNeverGaveIsPutRight() {
        RowRepair.Fact fact = new RowRepair.Fact(ChangeLog.version(5), row());
        RowRepair repair = new RowRepair(
                KEY, Optional.of(fact), ChangeLog.version(7), seen(Set.of()), Optional.of(ChangeLog.version(99)));

        assertThat(applied(known(99), repair).state().map(RowState::version)).contains(ChangeLog.version(5));
        assertThat(planner.repair(known(98), repair)).as("another version").isEqualTo(new RowChange.Stale());
    }

    @Test
    void aDeleteThatTheWriterNeverCommittedDoesNotStay() {
        Optional<RowState> deleted = Optional.of(RowState.without(ChangeLog.version(99), Standing.DELETED));
        RowRepair repair = new RowRepair(
                KEY, Optional.empty(), ChangeLog.version(7), seen(Set.of()), Optional.of(ChangeLog.version(99)));

        RowChange.Applied plan = applied(deleted, repair);

        assertThat(plan.state().map(RowState::version)).contains(ChangeLog.version(7));
        assertThat(planner.plan(plan.state(), put(8))).isInstanceOf(RowChange.Applied.class);
    }

    @Test
    void aRowThatTheTableLacksLosesItsEntriesAndALaterOneComesBack() {
        RowChange.Applied plan = applied(known(5), gone(8, Set.of()));

        assertThat(plan.mutations()).hasSize(3).allMatch(IndexMutation.RemoveEntry.class::isInstance);
        RowState state = plan.state().orElseThrow();
        assertThat(state.standing()).isEqualTo(Standing.DELETED);
        assertThat(planner.plan(plan.state(), put(9))).isInstanceOf(RowChange.Applied.class);
        assertThat(planner.plan(plan.state(), put(8))).isEqualTo(new RowChange.Stale());
    }

    @Test
    void entriesOfARowThatIsKnownToBeDeletedGoAndItsDeleteStays() {
        Optional<RowState> deleted = Optional.of(RowState.without(ChangeLog.version(5), Standing.DELETED));
        KeyBytes left = KeyBytes.wrap(new byte[] {9}).concat(KEY);

        RowChange.Applied plan = applied(deleted, gone(8, Set.of(left)));

        assertThat(plan.mutations()).containsExactly(new IndexMutation.RemoveEntry(BY_ACTOR, left));
        assertThat(plan.state()).isEqualTo(deleted);
    }

    @Test
    void entriesOfARowThatNobodyKnowsGoAndLeaveNothing() {
        KeyBytes left = KeyBytes.wrap(new byte[] {9}).concat(KEY);

        RowChange.Applied plan = applied(Optional.empty(), gone(8, Set.of(left)));

        assertThat(plan.mutations()).containsExactly(new IndexMutation.RemoveEntry(BY_ACTOR, left));
        assertThat(plan.state()).isEmpty();
    }

    private RowChange.Applied applied(Optional<RowState> known, RowRepair repair) {
        assertThat(planner.repair(known, repair)).isInstanceOf(RowChange.Applied.class);
        return (RowChange.Applied) planner.repair(known, repair);
    }

    private Optional<RowState> known(long number) {
        return planner.plan(Optional.empty(), put(number)) instanceof RowChange.Applied applied
                ? applied.state()
                : Optional.empty();
    }

    private static ChangeEvent put(long number) {
        return new ChangeEvent.Upserted(KEY, ChangeLog.version(number), ChangeLog.at(number), UpsertKind.UPDATE, row());
    }

    private static RowRepair fact(long number, Set<KeyBytes> seen) {
        RowRepair.Fact fact = new RowRepair.Fact(ChangeLog.version(number), row());
        return new RowRepair(KEY, Optional.of(fact), ChangeLog.version(number), seen(seen), Optional.empty());
    }

    private static RowRepair gone(long asOf, Set<KeyBytes> seen) {
        return new RowRepair(KEY, Optional.empty(), ChangeLog.version(asOf), seen(seen), Optional.empty());
    }

    private static SortedMap<Long, Set<KeyBytes>> seen(Set<KeyBytes> keys) {
        return new TreeMap<>(Map.of(BY_ACTOR, keys));
    }

    private static RowDocument row() {
        return RowDocument.stored(ALIEN.getBytes(StandardCharsets.UTF_8));
    }
}
