package dev.tidemark.writer.commit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.row.TreeWeight;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.InMemoryFactStore;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.json;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CommitterTest {
    private static final CommitterLimits LIMITS = new CommitterLimits(3, 10_000, 100, Duration.ofMillis(1));

    private final ManualClock clock = new ManualClock();
    private final InMemoryDisk disk = new InMemoryDisk();
    private final FailingFactStore store = new FailingFactStore(new InMemoryFactStore(disk));
    private MemoryBudget memory = new MemoryBudget(100_000);
    private final List<FactBatch> batches = new ArrayList<>();
    private final List<Duration> waits = new ArrayList<>();
    private final List<CommitPosition> promises = new ArrayList<>();
    private final List<RowVersion> moves = new ArrayList<>();
    private Optional<String> refusal = Optional.empty();
    private Optional<String> halt = Optional.empty();
    private Map<String, RowRules> rules = TestTables.rules();
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
        assertThat(moves).as("whoever is told sees the place").containsExactly(version(2));
    }

    @Test
    void everyListenerHearsAllOfACommitInTheOrderOfTheListeners() throws Exception {
        List<String> heard = new ArrayList<>();
        committer = newCommitter(List.of(recording("first", heard), recording("second", heard)));
        queue(1, 10);

        committer.doWork();

        assertThat(heard)
                .containsExactly(
                        "first waited",
                        "second waited",
                        "first committed",
                        "second committed",
                        "first frontierMoved",
                        "second frontierMoved");
    }

    private static Committer.Listener recording(String name, List<String> heard) {
        return new Committer.Listener() {
            @Override
            public void committed(FactBatch batch, Duration took) {
                heard.add(name + " committed");
            }

            @Override
            public void waited(Duration time) {
                heard.add(name + " waited");
            }

            @Override
            public void frontierMoved() {
                heard.add(name + " frontierMoved");
            }
        };
    }

    @Test
    void aStoreThatIsFarAwayLearnsOfTheRequestsOfAGroup() throws Exception {
        WriteRequest first = WriteRequest.of("customers", new WriteCommand.Touch(customerKey(1), List.of()), 10);
        WriteRequest second = WriteRequest.of("customers", new WriteCommand.Touch(customerKey(2), List.of()), 10);
        assertThat(committer.submit(first, Duration.ZERO)).isNotDone();
        assertThat(committer.submit(second, Duration.ZERO)).isNotDone();

        committer.doWork();

        assertThat(store.announced()).containsExactly(first, second);
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
    void anEpochThatBeganBeforeAnyCommitIsThereAfterARestart() throws Exception {
        committer.beginEpoch(2);
        committer.doWork();

        assertThat(newCommitter().frontier().version().epoch()).isEqualTo(2);
        int writes = disk.writes();
        committer.doWork();
        assertThat(disk.writes()).as("it begins once").isEqualTo(writes);
    }

    @Test
    void itsThreadIsNamedAfterIt() {
        assertThat(committer.roleName()).isEqualTo("committer");
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
                        List.of(
                                new WriteCommand.Touch(customerKey(1), List.of()),
                                new WriteCommand.Touch(customerKey(2), List.of())),
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

        assertThatThrownBy(failed::get)
                .cause()
                .isInstanceOfSatisfying(
                        CommitFailedException.class,
                        failure -> assertThat(failure.isOutcomeKnown()).isFalse());
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

        assertThat(committer.frontier()).isEqualTo(new CommitPosition(version(0), clock.instant()));
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
    void promisesVerifyBackoffAndNeverLessThanItTells() throws Exception {
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
    void tellsWhatItPromisesBecauseNothingElseKeepsItWhereAStoreGoesBack() throws Exception {
        committer.doWork();

        assertThat(promises).singleElement().satisfies(place -> {
            assertThat(place.time()).isEqualTo(store.lastCommit().time());
            assertThat(place.version()).isEqualTo(committer.frontier().version());
        });
    }

    @Test
    void noCommitHasATimeThatReadersWereToldToBeComplete() throws Exception {
        committer.notBefore(clock.instant().plusSeconds(9));
        var taken = submit(1);
        committer.doWork();

        assertThat(taken).isCompleted();
        assertThat(batches.get(0).through().time())
                .isAfterOrEqualTo(clock.instant().plusSeconds(9));
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
        assertThat(committer.queuedRequests()).isEqualTo(3);

        assertThat(committer.doWork()).as("requests that were dealt with").isEqualTo(3);
        assertThat(committer.queuedRequests()).isZero();
        assertThat(committer.queuedBytes()).isZero();
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
    void nothingIsCommittedThatWaitedWhileTheProcessStoodStill() throws Exception {
        var waiting = submit(1);
        halt = Optional.of("this process stood still");

        committer.doWork();

        assertThatThrownBy(waiting::get)
                .hasMessageContaining("this process stood still; nothing was applied")
                .cause()
                .isInstanceOfSatisfying(
                        CommitFailedException.class,
                        failure -> assertThat(failure.isOutcomeKnown()).isTrue());
        assertThat(store.find("customers", customerKey(1))).isNull();
        assertThat(batches).isEmpty();
        assertThat(committer.queuedBytes()).isZero();

        halt = Optional.empty();
        var later = submit(2);
        committer.doWork();
        assertThat(versionOf(later.get().get(0))).isEqualTo(version(1));
    }

    @Test
    void aCommitDuringWhichTheProcessStoodStillIsNotAcknowledged() throws Exception {
        store.beforeCommit(() -> halt = Optional.of("this process stood still"));
        var waiting = submit(1);

        committer.doWork();

        assertThatThrownBy(waiting::get)
                .hasMessageContaining("this process stood still; whether the write lasts is not known")
                .cause()
                .isInstanceOfSatisfying(
                        CommitFailedException.class,
                        failure -> assertThat(failure.isOutcomeKnown()).isFalse());
        assertThat(batches).as("it is published if this process goes on").hasSize(1);
        assertThat(committer.frontier().version()).isEqualTo(version(1));
        assertThat(committer.queuedBytes()).isZero();
        assertThat(committer.trouble()).isEmpty();
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

    @Test
    void aRequestThatCannotBePlannedFailsAlone() throws Exception {
        var before = submit(1);
        var bad = committer.submit(
                WriteRequest.of("gone", new WriteCommand.Delete(customerKey(2), Precondition.NONE), 0), Duration.ZERO);
        var after = submit(3);

        committer.doWork();

        assertThat(versionOf(before.get().get(0))).isEqualTo(version(1));
        assertThat(versionOf(after.get().get(0))).isEqualTo(version(2));
        assertThatThrownBy(bad::get)
                .hasMessageContaining("before anything of it was applied")
                .hasMessageContaining("gone")
                .cause()
                .isInstanceOfSatisfying(
                        CommitFailedException.class,
                        failure -> assertThat(failure.isOutcomeKnown()).isTrue());
        assertThat(committer.trouble()).isEmpty();
        assertThat(committer.queuedBytes()).isZero();
    }

    @Test
    void aRowThatCannotBeReadAtTheMomentFailsNobodyElse() throws Exception {
        store.failReadsOf(customerKey(2));
        var bad = submit(2);
        var good = submit(1);

        committer.doWork();

        assertThat(bad).isCompletedExceptionally();
        assertThat(versionOf(good.get().get(0))).isEqualTo(version(1));
    }

    @Test
    void aStoredRowThatCannotBeReadCanBeReplacedAndDeletedAndRestatedButNotPatched() throws Exception {
        store.commit(TestTables.batch(
                TestTables.put(1, 1, unreadable()),
                TestTables.put(2, 2, unreadable()),
                TestTables.put(3, 3, unreadable()),
                TestTables.put(4, 4, unreadable())));
        committer = newCommitter();
        var patch = patch(1, "{'a':1}");
        var replaced = submit(1);
        committer.doWork();
        var deleted = committer.submit(
                WriteRequest.of("customers", new WriteCommand.Delete(customerKey(2), Precondition.NONE), 0),
                Duration.ZERO);
        var restated = committer.submit(
                WriteRequest.of("customers", new WriteCommand.Touch(customerKey(3), List.of()), 0), Duration.ZERO);
        committer.doWork();

        assertThat(patch.get())
                .singleElement()
                .isInstanceOfSatisfying(
                        CommitOutcome.Refused.class,
                        refused -> assertThat(refused.detail()).contains("replaced or deleted"));
        assertThat(versionOf(replaced.get().get(0))).isEqualTo(version(5));
        assertThat(deleted.get()).singleElement().matches(CommitOutcome::applied);
        assertThat(versionOf(restated.get().get(0))).isEqualTo(version(7));
        assertThat(committer.trouble()).isEmpty();
    }

    private static RowDocument unreadable() {
        return RowDocument.stored("{\"town\":1.0E+99999999999".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void aRowIsCheckedOnceMoreWhereTheRulesHaveChangedSinceItWasAccepted() throws Exception {
        RowRules before = Objects.requireNonNull(rules.get("customers"));
        WriteCommand accept = before.accept(customerKey(1), json("{'customerId':1,'a':{}}"));
        WriteRequest put = WriteRequest.of("customers", accept, 10).checkedBy(before);
        var accepted = committer.submit(put, Duration.ZERO);
        committer.doWork();
        var late = committer.submit(put, Duration.ZERO);
        var good = submit(2);
        IndexDefinition byA = new IndexDefinition(
                "customers", "by_a", List.of(KeyPart.of("a")), new Projection.KeysOnly(), RowFilter.NONE);
        rules = Map.of(
                "customers",
                new RowRules(
                        new TableDefinition("customers", List.of(FieldPath.parse("customerId")), 4, List.of(byA)),
                        List.of(),
                        TestTables.MAX_ROW_BYTES,
                        0));
        committer.doWork();

        assertThat(accepted.get()).singleElement().matches(CommitOutcome::applied);
        assertThat(late.get()).singleElement().isInstanceOfSatisfying(CommitOutcome.Refused.class, refused -> {
            assertThat(refused.kind()).isEqualTo(RowRefusedException.Kind.UNINDEXABLE);
            assertThat(refused.detail()).contains("by_a");
        });
        assertThat(good.get()).singleElement().matches(CommitOutcome::applied);
    }

    @Test
    void nothingIsCommittedOnTopOfACommitOfWhichNothingIsKnown() throws Exception {
        store.failAfterCommit(new IllegalStateException("the link broke"));
        store.failLastCommits(4);
        var unknown = submit(1);
        committer.doWork();
        var tooEarly = submit(2);
        committer.doWork();
        committer.doWork();
        assertThat(committer.trouble()).isPresent();
        assertThat(batches).isEmpty();

        var later = submit(3);
        committer.doWork();

        assertThat(unknown).isCompletedExceptionally();
        assertThat(tooEarly).isCompletedExceptionally();
        assertThat(versionOf(later.get().get(0))).isEqualTo(version(2));
        assertThat(store.find("customers", customerKey(1))).isNotNull();
        assertThat(store.find("customers", customerKey(2))).isNull();
        assertThat(committer.trouble()).isEmpty();
        assertThat(batches)
                .as("what was committed after all counts for the outbox")
                .extracting(batch -> batch.through().version())
                .containsExactly(version(1), version(2));
    }

    @Test
    void nothingIsCommittedAfterAnErrorEndedTheThread() throws Exception {
        store.failAfterCommit(new AssertionError("out of something"));
        var unknown = submit(1);
        assertThatThrownBy(committer::doWork).isInstanceOf(AssertionError.class);
        var waiting = submit(2);

        committer.onClose();

        assertThatThrownBy(unknown::get).hasMessageContaining("not known");
        assertThatThrownBy(waiting::get).hasMessageContaining("nothing was applied");
        assertThat(store.lastCommit().version()).isEqualTo(version(1));
        assertThat(store.find("customers", customerKey(1))).isNotNull();
        assertThat(store.find("customers", customerKey(2))).isNull();
        assertThatThrownBy(() -> submit(3))
                .isInstanceOf(WritesRefusedException.class)
                .hasMessageContaining("has to start again");
    }

    @Test
    void whatWaitsIsReservedUntilItIsAnswered() throws Exception {
        MemoryBudget.Reservation others =
                memory.part("others", 1).tryReserve(97_000).orElseThrow();
        var patch = patch(1, "{'a':[[],[],[],[],[],[],[],[],[],[]]}");

        assertThat(memory.reserved()).isGreaterThan(97_000 + 10 * 80);
        assertThatThrownBy(() -> submit(2, 2_000))
                .isInstanceOf(QueueFullException.class)
                .hasMessageContaining("expected memory for a request that takes 2512 bytes");

        committer.doWork();
        assertThat(patch).isCompleted();
        assertThat(memory.reserved()).isEqualTo(97_000);
        var another = submit(2, 2_000);
        others.close();
        committer.onClose();
        assertThat(another).isCompleted();
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void aLoadWaitsForMemoryAsLongAsItHasPatience() throws Exception {
        MemoryBudget.Reservation others =
                memory.part("others", 1).tryReserve(99_900).orElseThrow();
        WriteRequest request =
                WriteRequest.of("customers", new WriteCommand.Delete(customerKey(1), Precondition.NONE), 0);
        List<CompletableFuture<List<CommitOutcome>>> handedIn = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
            try {
                handedIn.add(committer.submit(request, Duration.ofMinutes(1)));
            } catch (QueueFullException | WritesRefusedException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(BoundedWait.until(
                        () -> memory.parts().get(0).refusals() >= 2, Duration.ofSeconds(20), Duration.ofMillis(1)))
                .isTrue();
        others.close();

        load.get(1, TimeUnit.MINUTES);
        committer.doWork();
        assertThat(handedIn).singleElement().matches(CompletableFuture::isDone);
    }

    @Test
    void patchesOfLargeRowsDoNotAllShareOneCommit() throws Exception {
        rules = Map.of("customers", new RowRules(TestTables.CUSTOMERS, List.of(), 8 << 20, 0));
        memory = new MemoryBudget(32 << 20);
        RowDocument large = TestTables.row("{'customerId':1,'town':'a','text':'" + "x".repeat(5 << 20) + "'}");
        store.commit(TestTables.batch(
                TestTables.put(1, 1, large),
                TestTables.put(
                        2,
                        2,
                        TestTables.row(
                                large.tree().deepCopy().put("customerId", 2).toString())),
                TestTables.put(
                        3,
                        3,
                        TestTables.row(
                                large.tree().deepCopy().put("customerId", 3).toString()))));
        committer = newCommitter();
        var first = patch(1, "{'a':1}");
        var second = patch(2, "{'a':1}");
        var third = patch(3, "{'a':1}");

        committer.doWork();

        assertThat(batches).extracting(batch -> batch.changes().size()).containsExactly(2, 1);
        for (var one : List.of(first, second, third)) {
            assertThat(one.get()).singleElement().matches(CommitOutcome::applied);
        }
    }

    @Test
    void aBatchTakesNoFurtherRequestFromEightMebibytesOn() throws Exception {
        rules = Map.of("customers", new RowRules(TestTables.CUSTOMERS, List.of(), 8 << 20, 0));
        memory = new MemoryBudget(32 << 20);
        committer = newCommitter();
        int room = (8 << 20) - (int) TestTables.put(1, 1, withText(0)).bytes();

        for (int length : new int[] {room - 1, room}) {
            WriteCommand large = new WriteCommand.Put(customerKey(1), withText(length), Precondition.NONE);
            assertThat(committer.submit(WriteRequest.of("customers", large, 10), Duration.ZERO))
                    .isNotDone();
            queue(2, 10);
            committer.doWork();
        }

        assertThat(batches).extracting(batch -> batch.changes().size()).containsExactly(2, 1, 1);
    }

    private static RowDocument withText(int length) {
        return TestTables.row("{'customerId':1,'text':'" + "x".repeat(length) + "'}");
    }

    private CompletableFuture<List<CommitOutcome>> patch(long id, String patch) throws Exception {
        WriteCommand command = new WriteCommand.Patch(customerKey(id), json(patch), Precondition.NONE);
        return committer.submit(WriteRequest.of("customers", command, TreeWeight.of(json(patch))), Duration.ZERO);
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

            @Override
            public void promised(CommitPosition place) {
                promises.add(place);
            }

            @Override
            public void frontierMoved() {
                moves.add(committer.frontier().version());
            }
        };
        return newCommitter(List.of((batch, took) -> batches.add(batch), times));
    }

    private Committer newCommitter(List<Committer.Listener> listeners) {
        return new Committer(
                store,
                TestTables.digests(store),
                () -> rules,
                LIMITS,
                memory.part("queue", 1),
                new Gate(),
                clock,
                listeners);
    }

    private final class Gate implements WriteGate {
        @Override
        public Optional<String> refusal(String table) {
            return refusal;
        }

        @Override
        public Optional<String> halt() {
            return halt;
        }
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
