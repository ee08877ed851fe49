package dev.tidemark.writer.commit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowVersion;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.InMemoryFactStore;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CommitterTest {
    private static final CommitterLimits LIMITS = new CommitterLimits(3, 10_000, 100, Duration.ofMillis(1));

    private final ManualClock clock = new ManualClock();
    private final InMemoryDisk disk = new InMemoryDisk();
    private final InMemoryFactStore store = new InMemoryFactStore(disk);
    private final List<FactBatch> batches = new ArrayList<>();
    private final List<Duration> waits = new ArrayList<>();
    private Optional<String> refusal = Optional.empty();
    private Committer committer = newCommitter();

    @Test
    void requestsThatWaitShareOneCommit() throws Exception {
        var first = submit(1);
        var second = submit(2);
        assertThat(first).isNotDone();

        committer.doWork();

        assertThat(batches).hasSize(1);
        assertThat(batches.get(0).changes()).hasSize(2);
        assertThat(first.get()).singleElement().matches(CommitOutcome::applied);
        assertThat(second.get()).singleElement().matches(CommitOutcome::applied);
        assertThat(committer.frontier().version()).isEqualTo(version(2));
    }

    @Test
    void whatIsAnsweredIsDurable() throws Exception {
        queue(1, 10);
        committer.doWork();

        disk.crash();

        assertThat(store.find("customers", customerKey(1))).isNotNull();
    }

    @Test
    void anEpochThatWasAskedForBeginsBeforeTheNextCommitAndGoesOnWithTheSequence() throws Exception {
        var before = submit(1);
        committer.doWork();

        committer.beginEpoch(2);
        var after = submit(2);
        committer.doWork();
        committer.beginEpoch(2);
        committer.doWork();

        assertThat(versionOf(before.get().get(0))).isEqualTo(version(1));
        assertThat(versionOf(after.get().get(0))).isEqualTo(new RowVersion(2, 2));
        assertThat(newCommitter().frontier().version()).isEqualTo(new RowVersion(2, 2));
    }

    @Test
    void nothingIsCommittedWhileAnEpochThatWasAskedForCannotBegin() throws Exception {
        committer.beginEpoch(2);
        disk.failNextWrite(new IllegalStateException("full"));
        var refused = submit(1);
        committer.doWork();
        assertThat(refused).isCompletedExceptionally();

        var taken = submit(1);
        committer.doWork();

        assertThat(versionOf(taken.get().get(0))).isEqualTo(new RowVersion(2, 1));
    }

    @Test
    void theWriterItselfIsLetInWhereClientsAreNot() throws Exception {
        var put = submit(1);
        committer.doWork();
        refusal = Optional.of("not now");

        var again = committer.submitOwn(
                new WriteRequest(
                        "customers",
                        List.of(new WriteCommand.Restate(customerKey(1)), new WriteCommand.Restate(customerKey(2))),
                        false,
                        10),
                Duration.ZERO);
        committer.doWork();

        assertThat(put).isCompleted();
        assertThat(again.get())
                .containsExactly(
                        new CommitOutcome.Written(version(2), partition(1), false),
                        new CommitOutcome.Deleted(version(3), partition(2)));
    }

    private static int partition(long id) {
        return TestTables.CUSTOMERS.partitionOf(customerKey(id));
    }

    private static RowVersion versionOf(CommitOutcome outcome) {
        return ((CommitOutcome.Written) outcome).version();
    }

    @Test
    void aGroupThatChangesNothingIsNotCommitted() throws Exception {
        var done = committer.submit(
                WriteRequest.of("customers", new WriteCommand.Delete(customerKey(1), Precondition.NONE), 0),
                Duration.ZERO);

        committer.doWork();

        assertThat(done.get()).containsExactly(new CommitOutcome.NotFound());
        assertThat(batches).isEmpty();
    }

    @Test
    void afterAFailedCommitNothingIsHalfDoneAndSequencesGoOn() throws Exception {
        queue(1, 10);
        committer.doWork();
        disk.failNextWrite(new IllegalStateException("disk full"));
        var failed = submit(2);

        committer.doWork();

        assertThatThrownBy(failed::get).hasCauseInstanceOf(CommitFailedException.class);
        assertThat(committer.trouble())
                .hasValueSatisfying(text -> assertThat(text).contains("disk full"));
        assertThat(store.find("customers", customerKey(2))).isNull();

        queue(3, 10);
        committer.doWork();
        assertThat(committer.frontier().version()).isEqualTo(version(2));
        assertThat(committer.trouble()).isEmpty();
    }

    @Test
    void commitTimesGrowEvenWhenTheClockStandsStillOrGoesBack() throws Exception {
        queue(1, 10);
        committer.doWork();
        queue(2, 10);
        committer.doWork();
        clock.advance(Duration.ofHours(-1));
        queue(3, 10);
        committer.doWork();

        assertThat(batches)
                .extracting(batch -> batch.through().time())
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void anIdleCommitterMovesTheFrontierWithTheClock() throws Exception {
        clock.advance(Duration.ofSeconds(3));

        committer.doWork();

        assertThat(committer.frontier()).isEqualTo(new CommitPoint(version(0), clock.instant()));
    }

    @Test
    void laterCommitsComeAfterWhatWasPromisedEvenAfterARestart() throws Exception {
        clock.advance(Duration.ofSeconds(3));
        committer.doWork();
        var promised = committer.frontier().time();
        clock.advance(Duration.ofSeconds(-3));

        committer = newCommitter();
        queue(1, 10);
        committer.doWork();

        assertThat(committer.frontier().time()).isAfter(promised);
    }

    @Test
    void whatWasPromisedOutlivesAPowerCut() throws Exception {
        clock.advance(Duration.ofSeconds(3));
        committer.doWork();
        var promised = committer.frontier().time();

        disk.crash();

        assertThat(store.lastCommit().time()).isAfterOrEqualTo(promised);
    }

    @Test
    void promisesOnceInAWhileAndNeverLessThanItTells() throws Exception {
        committer.doWork();
        var stored = store.lastCommit().time();
        clock.set(stored);
        committer.doWork();
        assertThat(store.lastCommit().time()).isEqualTo(stored);

        clock.advance(Duration.ofMillis(1));
        committer.doWork();

        assertThat(committer.frontier().time()).isEqualTo(clock.instant());
        assertThat(store.lastCommit().time()).isAfter(clock.instant());
    }

    @Test
    void isNotAheadOfTheClockAfterAFailedCommit() throws Exception {
        committer.doWork();
        clock.advance(Duration.ofMillis(10));
        disk.failNextWrite(new IllegalStateException("disk full"));
        queue(1, 10);

        committer.doWork();

        assertThat(committer.frontier().time()).isEqualTo(clock.instant());
    }

    @Test
    void refusesMoreRequestsThanTheQueueHolds() throws Exception {
        queue(1, 10);
        queue(2, 10);
        queue(3, 10);

        assertThatThrownBy(() -> submit(4))
                .isInstanceOf(QueueFullException.class)
                .hasMessageContaining("3 wait");

        committer.doWork();
        assertThat(submit(5)).isNotDone();
    }

    @Test
    void refusesMoreBytesThanTheQueueHolds() throws Exception {
        queue(1, 9_000);

        assertThatThrownBy(() -> submit(2, 9_000))
                .isInstanceOf(QueueFullException.class)
                .hasMessageContaining("9000 bytes");

        committer.doWork();
        assertThat(submit(3, 9_000)).isNotDone();
        assertThat(committer.queuedBytes()).isGreaterThan(8_000);
    }

    @Test
    void takesNothingWhileTheGateIsShut() {
        refusal = Optional.of("the outbox is full");

        assertThatThrownBy(() -> submit(1))
                .isInstanceOf(WritesRefusedException.class)
                .hasMessage("the outbox is full");
    }

    @Test
    void commitsWhatStillWaitsWhenItCloses() throws Exception {
        var waiting = submit(1);

        committer.onClose();

        assertThat(waiting.get()).singleElement().matches(CommitOutcome::applied);
        assertThatThrownBy(() -> submit(2)).isInstanceOf(WritesRefusedException.class);
    }

    @Test
    void tellsHowLongEachRequestWaitedForItsCommitTime() throws Exception {
        queue(1, 10);
        clock.advance(Duration.ofMillis(20));
        queue(2, 10);
        clock.advance(Duration.ofMillis(5));

        committer.doWork();

        assertThat(waits).containsExactly(Duration.ofMillis(25), Duration.ofMillis(5));
    }

    private Committer newCommitter() {
        Committer.Listener times = new Committer.Listener() {
            @Override
            public void committed(FactBatch batch, Duration took) {
                // The other listener has it.
            }

            @Override
            public void waited(Duration time) {
                waits.add(time);
            }
        };
        Committer.Listener listener = new CommitListeners(List.of((batch, took) -> batches.add(batch), times));
        return new Committer(
                store, TestTables.digests(store), TestTables::rules, LIMITS, () -> refusal, clock, listener);
    }

    private void queue(long id, long bytes) throws Exception {
        assertThat(submit(id, bytes)).isNotDone();
    }

    private CompletableFuture<List<CommitOutcome>> submit(long id) throws Exception {
        return submit(id, 10);
    }

    private CompletableFuture<List<CommitOutcome>> submit(long id, long bytes) throws Exception {
        WriteCommand command = new WriteCommand.Put(customerKey(id), customer(id, "a"), Precondition.NONE);
        return committer.submit(WriteRequest.of("customers", command, bytes), Duration.ZERO);
    }
}
