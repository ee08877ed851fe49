package dev.tidemark.worker.apply;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Generation;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class RowPlannerTest {
    private static final String ALIEN = "{\"id\":1,\"title\":\"Alien\",\"year\":1979,\"cast\":[\"Weaver\",\"Hurt\"]}";

    private final RowPlanner planner = new RowPlanner(Tables.films(), 0, Tables.generations(Tables.films()));
    private final ChangeLog log = new ChangeLog(Tables.films());

    @Test
    void aNewRowGetsAllItsEntries() {
        RowChange.Applied plan = applied(Optional.empty(), last(log.put(1, ALIEN)));
        assertThat(plan.mutations()).hasSize(4).allMatch(IndexMutation.PutEntry.class::isInstance);
        assertThat(plan.state().map(RowState::version)).contains(ChangeLog.version(1));
    }

    @Test
    void theSameVersionAgainChangesNothing() {
        Optional<RowState> state = after(log.put(1, ALIEN));
        assertThat(planner.plan(state, last(log.put(1, ALIEN)))).isEqualTo(new RowChange.Stale());
    }

    @Test
    void anOlderVersionChangesNothing() {
        Optional<RowState> state = after(log.put(2, ALIEN));
        assertThat(planner.plan(state, last(log.delete(1, "1")))).isEqualTo(new RowChange.Stale());
    }

    @Test
    void entriesThatStayAreNotTouched() {
        Optional<RowState> state = after(log.put(1, ALIEN));
        String longer = ALIEN.replace("\"Hurt\"", "\"Hurt\",\"Holm\"");
        RowChange.Applied plan = applied(state, last(log.put(2, longer)));
        // One more actor, and the whole row, which carries everything; nothing by year.
        assertThat(plan.mutations())
                .extracting(
                        IndexMutation::generation,
                        mutation -> mutation.getClass().getSimpleName())
                .containsExactlyInAnyOrder(tuple(1L, "PutEntry"), tuple(3L, "PutEntry"));
    }

    @Test
    void coveringEntriesAreWrittenAgainWhenWhatTheyCarryChanges() {
        Optional<RowState> state = after(log.put(1, ALIEN));
        RowChange.Applied plan = applied(state, last(log.put(2, ALIEN.replace("Alien", "Aliens"))));
        assertThat(plan.mutations())
                .filteredOn(mutation -> mutation.generation() == 1)
                .hasSize(2)
                .allMatch(IndexMutation.PutEntry.class::isInstance);
    }

    @Test
    void anElementThatGoesTakesItsEntryAlong() {
        Optional<RowState> state = after(log.put(1, ALIEN));
        RowChange.Applied plan = applied(state, last(log.put(2, ALIEN.replace(",\"Hurt\"", ""))));
        assertThat(plan.mutations())
                .filteredOn(mutation -> mutation.generation() == 1)
                .singleElement()
                .isInstanceOf(IndexMutation.RemoveEntry.class);
    }

    @Test
    void aDeletedRowLeavesItsVersionBehind() {
        RowChange.Applied plan = applied(after(log.put(1, ALIEN)), last(log.delete(2, "1")));
        assertThat(plan.mutations()).hasSize(4).allMatch(IndexMutation.RemoveEntry.class::isInstance);
        assertThat(plan.state()).contains(RowState.without(ChangeLog.version(2), Standing.DELETED));
        assertThat(planner.plan(plan.state(), last(log.put(1, ALIEN)))).isEqualTo(new RowChange.Stale());
    }

    @Test
    void aRowIsForgottenByTheVersionThatDeletedIt() {
        Optional<RowState> deleted = after(log.delete(2, "1"));
        assertThat(planner.plan(deleted, last(log.forget(1, "1")))).isEqualTo(new RowChange.Stale());
        assertThat(planner.plan(deleted, last(log.forget(2, "1"))))
                .isEqualTo(new RowChange.Applied(Optional.empty(), List.of()));
    }

    @Test
    void forgettingANewerVersionDeletesTheRowToo() {
        RowChange.Applied plan = applied(after(log.put(1, ALIEN)), last(log.forget(2, "1")));
        assertThat(plan.mutations()).hasSize(4).allMatch(IndexMutation.RemoveEntry.class::isInstance);
        assertThat(plan.state()).isEmpty();
    }

    @Test
    void forgettingALiveRowOfThatVersionChangesNothing() {
        assertThat(planner.plan(after(log.put(2, ALIEN)), last(log.forget(2, "1"))))
                .isEqualTo(new RowChange.Stale());
    }

    @Test
    void aRowThatOneIndexCannotHoldIsWholeInTheOthers() {
        RowChange.Applied plan =
                applied(after(log.put(1, ALIEN)), last(log.put(2, "{\"id\":1,\"cast\":7,\"title\":\"x\"}")));
        RowState state = plan.state().orElseThrow();
        assertThat(state.isLive()).isTrue();
        assertThat(state.in(1).orElseThrow().refusal().orElseThrow())
                .contains("by_actor")
                .contains("expected an array");
        assertThat(state.in(3).orElseThrow().keys()).hasSize(1);
        assertThat(plan.mutations())
                .filteredOn(mutation -> mutation.generation() == 1)
                .hasSize(3)
                .anyMatch(mutation -> mutation instanceof IndexMutation.Refuse refuse
                        && refuse.version().equals(ChangeLog.version(2)));
        assertThat(applied(plan.state(), last(log.put(3, ALIEN))).mutations())
                .anyMatch(IndexMutation.Accept.class::isInstance);
        assertThat(applied(plan.state(), last(log.delete(3, "1"))).mutations())
                .anyMatch(IndexMutation.Accept.class::isInstance);
    }

    @Test
    void theSameVersionAgainGivesALiveRowWhatItLacks() {
        List<Generation> all = Tables.generations(Tables.films());
        RowPlanner before = new RowPlanner(Tables.films(), 0, all.subList(0, 2));
        Optional<RowState> state = ((RowChange.Applied) before.plan(Optional.empty(), last(log.put(1, ALIEN)))).state();
        RowChange.Applied plan = applied(state, last(log.put(1, ALIEN)));
        assertThat(plan.mutations())
                .singleElement()
                .matches(mutation -> mutation.generation() == 3 && mutation instanceof IndexMutation.PutEntry);
        assertThat(plan.state()).isEqualTo(after(log.put(1, ALIEN)));
        assertThat(planner.plan(state, last(log.put(0, ALIEN)))).isEqualTo(new RowChange.Stale());
    }

    @Test
    void onlyTheCurrentVersionOfALiveRowCompletesIt() {
        List<Generation> all = Tables.generations(Tables.films());
        RowPlanner before = new RowPlanner(Tables.films(), 0, all.subList(0, 2));
        ChangeEvent.Upserted event = (ChangeEvent.Upserted) last(log.put(2, ALIEN));
        Optional<RowState> known = ((RowChange.Applied) before.plan(Optional.empty(), event)).state();
        SortedMap<Long, DerivedRow> derived = new RowDeriver(all).derive(event.key(), event.row());

        assertThat(planner.complete(known, event.key(), ChangeLog.version(1), derived))
                .isEqualTo(new RowChange.Stale());
        assertThat(planner.complete(Optional.empty(), event.key(), event.version(), derived))
                .isEqualTo(new RowChange.Stale());
        Optional<RowState> deleted = applied(known, last(log.delete(3, "1"))).state();
        assertThat(planner.complete(deleted, event.key(), ChangeLog.version(3), derived))
                .isEqualTo(new RowChange.Stale());
        assertThat(planner.complete(known, event.key(), event.version(), derived))
                .isInstanceOfSatisfying(
                        RowChange.Applied.class,
                        plan -> assertThat(plan.state()).isEqualTo(after(log.put(2, ALIEN))));
    }

    @Test
    void whatARowHasInGenerationsThatAreGoneIsLeftAlone() {
        List<Generation> all = Tables.generations(Tables.films());
        RowPlanner after = new RowPlanner(Tables.films(), 0, all.subList(1, 3));
        RowChange plan = after.plan(after(log.put(1, ALIEN)), last(log.delete(2, "1")));
        assertThat(((RowChange.Applied) plan).mutations()).hasSize(2).noneMatch(mutation -> mutation.generation() == 1);
    }

    @Test
    void aRowOfAnotherPartitionIsPoison() {
        ChangeLog people = new ChangeLog(Tables.people());
        int home = Tables.people().partitionOf(people.key("7"));
        RowPlanner elsewhere = new RowPlanner(Tables.people(), (home + 1) % 4, Tables.generations(Tables.people()));
        people.put(1, "{\"id\":7}");
        assertThat(elsewhere.plan(Optional.empty(), event(Tables.people().name(), people)))
                .isInstanceOfSatisfying(
                        RowChange.Poison.class,
                        poison -> assertThat(poison.reason()).contains("belongs to " + home));
    }

    @Test
    void aRowOfAnotherPartitionIsPoisonToAShardThatKnowsItButDoesNotHaveIt() {
        ChangeLog people = new ChangeLog(Tables.people());
        int home = Tables.people().partitionOf(people.key("7"));
        RowPlanner elsewhere = new RowPlanner(Tables.people(), (home + 1) % 4, Tables.generations(Tables.people()));
        people.put(2, "{\"id\":7}");
        ChangeEvent event = event(Tables.people().name(), people);

        for (RowState known : List.of(
                elsewhere.imagined(ChangeLog.version(2), Standing.POISONED_AT),
                elsewhere.imagined(ChangeLog.version(1), Standing.POISONED_PAST),
                RowState.without(ChangeLog.version(1), Standing.DELETED))) {
            assertThat(elsewhere.plan(Optional.of(known), event))
                    .as(known.toString())
                    .isInstanceOf(RowChange.Poison.class);
        }
    }

    @Test
    void aPoisonedRowHealsByItsOwnVersionWhereThatIsKnown() {
        Optional<RowState> at = Optional.of(planner.imagined(ChangeLog.version(2), Standing.POISONED_AT));
        Optional<RowState> past = Optional.of(planner.imagined(ChangeLog.version(2), Standing.POISONED_PAST));
        ChangeEvent same = last(log.put(2, ALIEN));
        assertThat(planner.plan(at, same)).isInstanceOf(RowChange.Applied.class);
        assertThat(planner.plan(past, same)).isEqualTo(new RowChange.Stale());
        assertThat(planner.plan(past, last(log.put(3, ALIEN)))).isInstanceOf(RowChange.Applied.class);
        assertThat(planner.plan(at, last(log.put(1, ALIEN)))).isEqualTo(new RowChange.Stale());
    }

    @Test
    void aRowWhoseKeyIsNoneOfItsTableIsPoison() {
        KeyBytes junk = KeyBytes.wrap("junk".getBytes(StandardCharsets.UTF_8));
        ChangeEvent event = new ChangeEvent.Upserted(
                junk, ChangeLog.version(1), ChangeLog.at(1), UpsertKind.CREATE, ChangeLog.document(ALIEN));

        assertThat(planner.plan(Optional.empty(), event))
                .isInstanceOfSatisfying(
                        RowChange.Poison.class,
                        poison -> assertThat(poison.reason()).isNotBlank());
    }

    @Test
    void aRowIsOnlyCompletedInGenerationsThatArePlannedFor() {
        List<Generation> all = Tables.generations(Tables.films());
        RowPlanner first = new RowPlanner(Tables.films(), 0, all.subList(0, 1));
        RowPlanner two = new RowPlanner(Tables.films(), 0, all.subList(0, 2));
        ChangeEvent.Upserted event = (ChangeEvent.Upserted) last(log.put(2, ALIEN));
        Optional<RowState> known = ((RowChange.Applied) first.plan(Optional.empty(), event)).state();
        SortedMap<Long, DerivedRow> derived = new RowDeriver(all).derive(event.key(), event.row());

        assertThat(two.complete(known, event.key(), event.version(), derived))
                .isInstanceOfSatisfying(RowChange.Applied.class, plan -> {
                    assertThat(plan.mutations())
                            .extracting(IndexMutation::generation)
                            .containsExactly(2L);
                    assertThat(plan.state().orElseThrow().entries()).containsOnlyKeys(1L, 2L);
                });
    }

    @Test
    void looksUpFewRowsAtATimeWhereOneMayHaveManyEntries() {
        assertThat(planner.rowsAtOnce()).isEqualTo(16);
        assertThat(new RowPlanner(Tables.people(), 0, Tables.generations(Tables.people())).rowsAtOnce())
                .isGreaterThan(100_000);
    }

    private Optional<RowState> after(ChangeLog changes) {
        return applied(Optional.empty(), last(changes)).state();
    }

    private RowChange.Applied applied(Optional<RowState> state, ChangeEvent event) {
        RowChange plan = planner.plan(state, event);
        assertThat(plan).isInstanceOf(RowChange.Applied.class);
        return (RowChange.Applied) plan;
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
