package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.outbox.EventPublisher.Shard;
import dev.tidemark.writer.outbox.TopicInspector.Task;
import dev.tidemark.writer.outbox.TopicReconciler.Verdict;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.InMemoryLog;
import dev.tidemark.writer.testkit.InMemoryTopicLedger;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.timeOf;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class TopicReconcilerTest {
    private static final TableDefinition SPEC = TestTables.CUSTOMERS;
    private static final Task LOOK = new Task.Look(SPEC);
    private static final Duration NOTICED = Duration.ofSeconds(2);

    private final ManualClock clock = new ManualClock();
    private final InMemoryTopicLedger ledger = new InMemoryTopicLedger(new InMemoryDisk());
    private final InMemoryLog log = new InMemoryLog();
    private final TopicReconciler keeper =
            new TopicReconciler(List.of(SPEC), ledger, log, () -> version(9), () -> 9, clock);

    @BeforeEach
    void makeTheTopic() throws Exception {
        log.makeTopic("customers", 4);
        remember(Map.of(), Map.of());
    }

    @Test
    void aTopicIsGoneForAWhileBeforeItIsMadeAnew() throws Exception {
        assertThat(judge(new TopicInspection.Absent())).isInstanceOf(Verdict.Held.class);
        clock.advance(NOTICED.minusNanos(1));
        assertThat(judge(new TopicInspection.Absent())).isInstanceOf(Verdict.Held.class);

        clock.advance(Duration.ofNanos(1));

        assertThat(judge(new TopicInspection.Absent()))
                .isInstanceOfSatisfying(
                        Verdict.ToDo.class, toDo -> assertThat(toDo.task()).isEqualTo(new Task.Make(SPEC)));
    }

    @Test
    void aTopicThatIsGoneOnceMoreIsGoneForAWhileOnceMore() throws Exception {
        assertThat(judge(new TopicInspection.Absent())).isInstanceOf(Verdict.Held.class);
        clock.advance(NOTICED);
        assertThat(judge(found())).isInstanceOf(Verdict.Usable.class);

        assertThat(judge(new TopicInspection.Absent())).isInstanceOf(Verdict.Held.class);
    }

    @Test
    void aTableIsHeldWhileTheLogSaysNothingAndRefusedWhereItForbids() throws Exception {
        assertThat(judge(new TopicInspection.Unknown("no leader")))
                .isEqualTo(new Verdict.Held(new TableHold(TableHold.Kind.WAITING, "no leader")));
        assertThat(judge(new TopicInspection.Forbidden("not authorized")))
                .isEqualTo(new Verdict.Held(new TableHold(TableHold.Kind.REFUSED, "not authorized")));
    }

    @Test
    void aTopicThatThisWriterNeverHadIsMadeAtOnce() throws Exception {
        assertThat(keeper.judge(LOOK, new TopicInspection.Absent(), Optional.empty(), true, false))
                .isInstanceOf(Verdict.ToDo.class);
    }

    @Test
    void aTopicThatWasMadeAnewIsFilledOnceWorkersHaveNoticed() throws Exception {
        log.deleteTopic("customers");
        log.makeTopic("customers", 4);
        assertThat(judge(found())).isInstanceOf(Verdict.Held.class);
        clock.advance(NOTICED.minusNanos(1));
        assertThat(judge(found())).isInstanceOf(Verdict.Held.class);

        clock.advance(Duration.ofNanos(1));

        assertThat(judge(found())).isEqualTo(new Verdict.Usable(true, List.of()));
    }

    @Test
    void aTopicInThePlaceOfANewOneIsFilledOnceWorkersHaveNoticedThatToo() throws Exception {
        log.deleteTopic("customers");
        log.makeTopic("customers", SPEC.partitions());
        assertThat(judge(found())).isInstanceOf(Verdict.Held.class);
        clock.advance(NOTICED);
        log.deleteTopic("customers");
        log.makeTopic("customers", SPEC.partitions());

        assertThat(judge(found())).isInstanceOf(Verdict.Held.class);
        clock.advance(NOTICED);

        assertThat(judge(found())).isInstanceOf(Verdict.Usable.class);
    }

    @Test
    void aTopicThatEndsWhereItDidLacksNothing() throws Exception {
        log.intrude("customers", 2, change(1));
        remember(Map.of(2, 1L), Map.of());
        assertThat(judge(found())).isEqualTo(new Verdict.Usable(false, List.of()));

        log.truncate("customers", 2, 1);
        assertThat(judge(found())).isEqualTo(new Verdict.Usable(true, List.of()));
    }

    @Test
    void whatStandsBehindNotedChangesMayBeStrayWhereTheProducerWasGivenUp() throws Exception {
        log.intrude("customers", 2, change(1));
        log.intrude("customers", 2, change(2));
        log.intrude("customers", 3, change(3));
        remember(Map.of(2, 1L, 3, 1L), Map.of());

        assertThat(judge(found())).isEqualTo(new Verdict.Usable(false, List.of()));
        assertThat(keeper.judge(LOOK, found(), keeper.known("customers"), true, false))
                .isEqualTo(new Verdict.Usable(false, List.of(new RecordRange(shard(2), 1, 2))));
    }

    @Test
    void aTopicWithoutItsOldestRecordsIsMadeAnewOnceThatIsSure() throws Exception {
        log.curtail("customers", 1);
        assertThat(judge(found())).isInstanceOf(Verdict.Usable.class);
        clock.advance(TopicReconciler.SURE_AFTER.minusNanos(1));
        assertThat(judge(found())).isInstanceOf(Verdict.Usable.class);

        clock.advance(Duration.ofNanos(1));

        TopicInspection.Found found = found();
        assertThat(judge(found))
                .isInstanceOfSatisfying(
                        Verdict.ToDo.class, toDo -> assertThat(toDo.task()).isEqualTo(new Task.Delete(SPEC, found)));
        assertThat(keeper.judge(new Task.Delete(SPEC, found), found, keeper.known("customers"), false, false))
                .as("where it may not be deleted")
                .isInstanceOf(Verdict.Usable.class);
    }

    @Test
    void aTopicThatWasFoundWholeMeanwhileIsNotSuspected() throws Exception {
        log.curtail("customers", 1);
        judge(found());
        log.curtail("customers", 0);
        judge(found());
        log.curtail("customers", 1);
        clock.advance(TopicReconciler.SURE_AFTER);

        assertThat(judge(found())).isInstanceOf(Verdict.Usable.class);
    }

    @Test
    void readsAllRecordsOrThoseBehindNotedChanges() throws Exception {
        for (int i = 1; i <= 3; i++) {
            log.intrude("customers", 1, change(i));
        }
        log.intrude("customers", 2, change(4));
        log.intrude("customers", 3, change(5));
        remember(Map.of(1, 2L, 2, 1L), Map.of());
        assertThat(keeper.stretches(SPEC, false)).as("before a look").isEmpty();
        judge(found());

        assertThat(keeper.stretches(SPEC, false))
                .containsExactly(
                        new RecordRange(shard(1), 0, 3),
                        new RecordRange(shard(2), 0, 1),
                        new RecordRange(shard(3), 0, 1));
        assertThat(keeper.stretches(SPEC, true))
                .containsExactly(new RecordRange(shard(1), 2, 3), new RecordRange(shard(3), 0, 1));

        judge(new TopicInspection.Absent());
        assertThat(keeper.stretches(SPEC, false)).as("once it is gone").isEmpty();
    }

    @Test
    void whatIsNotedOfOneTopicHidesNothingOfTheOneInItsPlace() throws Exception {
        log.intrude("customers", 1, change(1));
        remember(Map.of(1, 1L), Map.of());
        log.deleteTopic("customers");
        log.makeTopic("customers", SPEC.partitions());
        log.intrude("customers", 1, change(2));
        judge(found());

        assertThat(keeper.stretches(SPEC, true)).containsExactly(new RecordRange(shard(1), 0, 1));
    }

    @Test
    void leavesTheTopicOfATableAlone() throws Exception {
        log.intrude("customers", 1, change(1));
        remember(Map.of(), Map.of());
        judge(found());

        keeper.leave(SPEC);

        assertThat(keeper.specs()).isEmpty();
        assertThat(keeper.stretches(SPEC, false)).isEmpty();
    }

    @Test
    void notesHowFarChangesGo() throws Exception {
        AppendedOffsets changes = new AppendedOffsets();
        changes.add(new Publication("customers", 1, change(7)), 3);
        changes.add(new Publication("customers", 1, change(8)), 4);
        keeper.acknowledged("customers", changes);

        AppendedOffsets heartbeats = new AppendedOffsets();
        heartbeats.add(new Publication("customers", 1, heartbeat()), 5);
        heartbeats.add(new Publication("customers", 2, heartbeat()), 0);
        keeper.acknowledged("customers", heartbeats);

        AppendedOffsets tombstones = new AppendedOffsets();
        tombstones.add(
                new Publication("customers", 1, new ChangeEvent.Forgotten(customerKey(1), version(8), timeOf(8))), 6);
        keeper.acknowledged("customers", tombstones);

        assertThat(keeper.known("customers"))
                .contains(new TopicRecord(found().status().id(), true, Map.of(1, 5L), Map.of(1, 8L), 0, 0));
    }

    @Test
    void aLossOfHeartbeatsAloneIsNone() throws Exception {
        remember(Map.of(1, 5L), Map.of());

        assertThat(hasLostChanges(new AcknowledgedEnds.Loss(9, 5, false))).isFalse();
        assertThat(hasLostChanges(new AcknowledgedEnds.Loss(9, 4, false))).isTrue();
        assertThat(hasLostChanges(new AcknowledgedEnds.Loss(9, 7, true))).isTrue();
        assertThat(keeper.hasLostChanges("customers", Map.of())).isFalse();
    }

    @Test
    void aLossBesideAnotherCountsToo() throws Exception {
        remember(Map.of(1, 5L, 2, 5L), Map.of());
        AcknowledgedEnds.Loss none = new AcknowledgedEnds.Loss(9, 5, false);

        assertThat(keeper.hasLostChanges("customers", Map.of(shard(1), none, shard(2), none)))
                .isFalse();
        assertThat(keeper.hasLostChanges(
                        "customers", Map.of(shard(1), none, shard(2), new AcknowledgedEnds.Loss(9, 4, false))))
                .isTrue();
    }

    @Test
    void anotherRecordWhereTheLastChangeWasTellsOfALoss() throws Exception {
        log.intrude("customers", 1, change(1));
        log.intrude("customers", 1, change(2));
        log.intrude("customers", 1, heartbeat());
        AcknowledgedEnds.Loss ofHeartbeats = new AcknowledgedEnds.Loss(9, 3, false);

        remember(Map.of(1, 2L), Map.of(1, 2L));
        assertThat(hasLostChanges(ofHeartbeats)).isFalse();
        assertThat(lacksWhereUnsure()).isFalse();

        remember(Map.of(1, 2L), Map.of(1, 1L));
        assertThat(hasLostChanges(ofHeartbeats)).isTrue();
        assertThat(keeper.hasLostChanges("customers", Map.of())).isFalse();
        assertThat(lacksWhereUnsure()).isTrue();
        assertThat(judge(found())).isEqualTo(new Verdict.Usable(false, List.of()));
        assertThat(keeper.judge(LOOK, found(), keeper.known("customers"), false, true))
                .as("where the table was held")
                .isEqualTo(new Verdict.Usable(true, List.of()));
    }

    @Test
    void aRecordMayStandBehindALossUnlessItIsWhereItWasExpected() {
        Optional<ChangeMessage> change = Optional.of(change(7));

        assertThat(new TopicTailReader.Found(6, change, new ExpectedPosition(6, 6, 1)).mayBeBehindLoss())
                .isFalse();
        assertThat(new TopicTailReader.Found(6, change, new ExpectedPosition(7, 6, 1)).mayBeBehindLoss())
                .isTrue();
        assertThat(new TopicTailReader.Found(6, change, new ExpectedPosition(6, 6, 1).unknown()).mayBeBehindLoss())
                .as("it was sent while nothing could be proven")
                .isTrue();
        assertThat(new TopicTailReader.Found(6, Optional.empty(), ExpectedPosition.NONE).mayBeBehindLoss())
                .as("another program wrote it")
                .isFalse();
        assertThat(new TopicTailReader.Found(6, Optional.empty(), new ExpectedPosition(-1, 7, 1)).mayBeBehindLoss())
                .isTrue();
    }

    @Test
    void theLastChangeOfATableIsLookedForInItsOwnTopic() throws Exception {
        TableDefinition movies = TestTables.MOVIES;
        TopicReconciler both =
                new TopicReconciler(List.of(movies, SPEC), ledger, log, () -> version(9), () -> 9, clock);
        log.makeTopic("movies", 2);
        log.intrude("movies", 1, change(2));
        log.intrude("customers", 1, change(1));
        remember(Map.of(1, 1L), Map.of(1, 1L));

        assertThat(both.hasLostChanges("customers", Map.of(shard(1), new AcknowledgedEnds.Loss(9, 1, false))))
                .isFalse();
    }

    private boolean lacksWhereUnsure() throws Exception {
        return keeper.judge(LOOK, found(), keeper.known("customers"), true, false) instanceof Verdict.Usable usable
                && usable.lacks();
    }

    private boolean hasLostChanges(AcknowledgedEnds.Loss loss) throws Exception {
        return keeper.hasLostChanges("customers", Map.of(shard(1), loss));
    }

    private Verdict judge(TopicInspection look) throws Exception {
        return keeper.judge(LOOK, look, keeper.known("customers"), false, false);
    }

    private TopicInspection.Found found() throws Exception {
        return new TopicInspection.Found(log.find(SPEC).orElseThrow(), Optional.empty());
    }

    /** The topic as it is now, whole, with these ends and last changes. */
    private void remember(Map<Integer, Long> ends, Map<Integer, Long> lasts) throws Exception {
        ledger.save("customers", new TopicRecord(found().status().id(), true, ends, lasts, 0, 0), true);
    }

    private static Shard shard(int partition) {
        return new Shard("customers", partition);
    }

    private static ChangeMessage change(long sequence) {
        return new ChangeEvent.Deleted(customerKey(1), version(sequence), timeOf(sequence));
    }

    private static ChangeMessage heartbeat() {
        return new Heartbeat(timeOf(9), version(9));
    }
}
