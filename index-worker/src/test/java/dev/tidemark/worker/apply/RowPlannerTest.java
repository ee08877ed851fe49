package dev.tidemark.worker.apply;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class RowPlannerTest {
    private static final String ALIEN = "{\"id\":1,\"title\":\"Alien\",\"year\":1979,\"cast\":[\"Weaver\",\"Hurt\"]}";

    private final RowPlanner planner = new RowPlanner(Tables.films(), 0);
    private final ChangeLog log = new ChangeLog(Tables.films());

    @Test
    void aNewRowGetsAllItsEntries() {
        Plan.Applied plan = applied(Optional.empty(), last(log.put(1, ALIEN)));
        assertThat(plan.mutations()).hasSize(4).allMatch(IndexMutation.PutEntry.class::isInstance);
        assertThat(plan.state().map(RowState::version)).contains(ChangeLog.version(1));
    }

    @Test
    void theSameVersionAgainChangesNothing() {
        Optional<RowState> state = after(log.put(1, ALIEN));
        assertThat(planner.plan(state, last(log.put(1, ALIEN)))).isEqualTo(new Plan.Stale());
    }

    @Test
    void anOlderVersionChangesNothing() {
        Optional<RowState> state = after(log.put(2, ALIEN));
        assertThat(planner.plan(state, last(log.delete(1, "1")))).isEqualTo(new Plan.Stale());
    }

    @Test
    void entriesThatStayAreNotTouched() {
        Optional<RowState> state = after(log.put(1, ALIEN));
        String longer = ALIEN.replace("\"Hurt\"", "\"Hurt\",\"Holm\"");
        Plan.Applied plan = applied(state, last(log.put(2, longer)));
        // One more actor, and the whole row, which carries everything; nothing by year.
        assertThat(plan.mutations())
                .extracting(
                        IndexMutation::index, mutation -> mutation.getClass().getSimpleName())
                .containsExactlyInAnyOrder(tuple(0, "PutEntry"), tuple(2, "PutEntry"));
    }

    @Test
    void coveringEntriesAreWrittenAgainWhenWhatTheyCarryChanges() {
        Optional<RowState> state = after(log.put(1, ALIEN));
        Plan.Applied plan = applied(state, last(log.put(2, ALIEN.replace("Alien", "Aliens"))));
        assertThat(plan.mutations())
                .filteredOn(mutation -> mutation.index() == 0)
                .hasSize(2)
                .allMatch(IndexMutation.PutEntry.class::isInstance);
    }

    @Test
    void anElementThatGoesTakesItsEntryAlong() {
        Optional<RowState> state = after(log.put(1, ALIEN));
        Plan.Applied plan = applied(state, last(log.put(2, ALIEN.replace(",\"Hurt\"", ""))));
        assertThat(plan.mutations())
                .filteredOn(mutation -> mutation.index() == 0)
                .singleElement()
                .isInstanceOf(IndexMutation.RemoveEntry.class);
    }

    @Test
    void aDeletedRowLeavesItsVersionBehind() {
        Plan.Applied plan = applied(after(log.put(1, ALIEN)), last(log.delete(2, "1")));
        assertThat(plan.mutations()).hasSize(4).allMatch(IndexMutation.RemoveEntry.class::isInstance);
        assertThat(plan.state()).contains(RowState.without(ChangeLog.version(2), Standing.DELETED, 3));
        assertThat(planner.plan(plan.state(), last(log.put(1, ALIEN)))).isEqualTo(new Plan.Stale());
    }

    @Test
    void aRowIsForgottenByTheVersionThatDeletedIt() {
        Optional<RowState> deleted = after(log.delete(2, "1"));
        assertThat(planner.plan(deleted, last(log.forget(1, "1")))).isEqualTo(new Plan.Stale());
        assertThat(planner.plan(deleted, last(log.forget(2, "1"))))
                .isEqualTo(new Plan.Applied(Optional.empty(), List.of()));
    }

    @Test
    void forgettingANewerVersionDeletesTheRowToo() {
        Plan.Applied plan = applied(after(log.put(1, ALIEN)), last(log.forget(2, "1")));
        assertThat(plan.mutations()).hasSize(4).allMatch(IndexMutation.RemoveEntry.class::isInstance);
        assertThat(plan.state()).isEmpty();
    }

    @Test
    void forgettingALiveRowOfThatVersionChangesNothing() {
        assertThat(planner.plan(after(log.put(2, ALIEN)), last(log.forget(2, "1"))))
                .isEqualTo(new Plan.Stale());
    }

    @Test
    void aRowThatAnIndexCannotHoldIsPoison() {
        assertThat(planner.plan(Optional.empty(), last(log.put(1, "{\"id\":1,\"cast\":\"Weaver\"}"))))
                .isInstanceOfSatisfying(
                        Plan.Poison.class,
                        poison ->
                                assertThat(poison.reason()).contains("by_actor").contains("expected an array"));
    }

    @Test
    void aRowOfAnotherPartitionIsPoison() {
        ChangeLog people = new ChangeLog(Tables.people());
        int home = Tables.people().partitionOf(people.key("7"));
        RowPlanner elsewhere = new RowPlanner(Tables.people(), (home + 1) % 4);
        people.put(1, "{\"id\":7}");
        assertThat(elsewhere.plan(Optional.empty(), event(Tables.people().name(), people)))
                .isInstanceOfSatisfying(
                        Plan.Poison.class, poison -> assertThat(poison.reason()).contains("belongs to " + home));
    }

    @Test
    void aPoisonedRowHealsByItsOwnVersionWhereThatIsKnown() {
        Optional<RowState> at = Optional.of(planner.withoutEntries(ChangeLog.version(2), Standing.POISONED_AT));
        Optional<RowState> past = Optional.of(planner.withoutEntries(ChangeLog.version(2), Standing.POISONED_PAST));
        ChangeEvent same = last(log.put(2, ALIEN));
        assertThat(planner.plan(at, same)).isInstanceOf(Plan.Applied.class);
        assertThat(planner.plan(past, same)).isEqualTo(new Plan.Stale());
        assertThat(planner.plan(past, last(log.put(3, ALIEN)))).isInstanceOf(Plan.Applied.class);
        assertThat(planner.plan(at, last(log.put(1, ALIEN)))).isEqualTo(new Plan.Stale());
    }

    private Optional<RowState> after(ChangeLog changes) {
        return applied(Optional.empty(), last(changes)).state();
    }

    private Plan.Applied applied(Optional<RowState> state, ChangeEvent event) {
        Plan plan = planner.plan(state, event);
        assertThat(plan).isInstanceOf(Plan.Applied.class);
        return (Plan.Applied) plan;
    }

    private static ChangeEvent last(ChangeLog log) {
        return event("films", log);
    }

    private static ChangeEvent event(String table, ChangeLog log) {
        List<LogRecord> records = log.take().records();
        try {
            ChangeMessage message = new ChangeCodec(table)
                    .decode(records.get(records.size() - 1).record());
            return (ChangeEvent) message;
        } catch (MalformedChangeException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
