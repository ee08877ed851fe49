package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.WritesRefusedException;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The fact tables are put back to a copy while the topics hold what came after it. */
@Execution(ExecutionMode.CONCURRENT)
class LostWriteRecoveryTest {
    private final RelayFixture fixture = new RelayFixture();

    @Test
    void whatCameAfterTheCopyIsUndoneByLaterVersions() throws Exception {
        fixture.put(1, "Delft");
        fixture.put(2, "Gouda");
        fixture.put(3, "Leiden");
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(1, "lost");
        fixture.put(4, "lost");
        fixture.delete(3);
        fixture.run();

        fixture.putBack(copy);
        fixture.settle();

        assertThat(newest(1)).contains(upserted(1, "Delft", newestVersion(1)));
        assertThat(newest(3)).contains(upserted(3, "Leiden", newestVersion(3)));
        assertThat(newest(4)).get().isInstanceOf(ChangeEvent.Deleted.class);
        assertThat(List.of(newestVersion(1), newestVersion(2), newestVersion(3), newestVersion(4)))
                .allMatch(version -> version.epoch() == 2 && version.sequence() > 3);
        assertThat(newest(2)).contains(upserted(2, "Gouda", newestVersion(2)));
        assertThat(fixture.stores().ledger().unsettled()).isEmpty();
    }

    @Test
    void nothingIsUndoneBeforeTheDefinitionsHaveEachTable() throws Exception {
        fixture.put(1, "Delft");
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(4, "lost");
        fixture.run();
        Definitions known = fixture.definitions();

        fixture.define(new Definitions(known.version(), Instant.EPOCH, List.of(), 99));
        fixture.putBack(copy);
        fixture.run();
        assertThat(newest(4)).get().isInstanceOf(ChangeEvent.Upserted.class);

        fixture.define(known);
        fixture.settle();
        assertThat(newest(4)).get().isInstanceOf(ChangeEvent.Deleted.class);
        assertThat(newestVersion(1).epoch()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 17})
    void theNextProducerHasAHigherNumberThanThoseOfTheLostTimeThoughItsClockIsBehindTheirs(int daysSinceTheCopy)
            throws Exception {
        fixture.put(1, "Delft");
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.clock.advance(Duration.ofDays(daysSinceTheCopy).plusHours(1));
        fixture.restart(0);
        fixture.put(1, "lost");
        fixture.run();
        long lost = newestSession(1);

        fixture.clock.advance(Duration.ofHours(-1));
        fixture.putBack(copy);
        for (int i = 0; i < 10; i++) {
            // The relay alone: the committer knows of the time of the copy only.
            fixture.step();
        }
        fixture.settle();

        assertThat(newestVersion(1).epoch()).isEqualTo(2);
        assertThat(newestSession(1)).isGreaterThan(lost);
    }

    @Test
    void aProducerThatTheCopyDoesNotKnowShowsALossOfWhichTheTopicsHaveNoVersion() throws Exception {
        fixture.put(1, "Delft");
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        // The row is published again with the version that the copy knows.
        fixture.log.deleteTopic("customers");
        fixture.restart(0);
        fixture.run();
        fixture.settle();
        assertThat(newestVersion(1)).isEqualTo(new RowVersion(1, 1));

        fixture.putBack(copy);
        fixture.run();
        fixture.settle();

        assertThat(newestVersion(1).epoch()).isEqualTo(2);
    }

    /** The number of the producer that sent the last record of the partition of a row. */
    private long newestSession(int id) throws Exception {
        int partition = TestTables.CUSTOMERS.partitionOf(customerKey(id));
        int end = fixture.log.records("customers", partition).size();
        EventPublisher.Shard shard = new EventPublisher.Shard("customers", partition);
        return fixture.log.first(shard, end - 1).orElseThrow().expectation().session();
    }

    @ParameterizedTest(name = "where the fact tables are in epoch {0}")
    @ValueSource(ints = {1, 9_500, 9_998})
    void aForgedVersionOfTheLastEpochDoesNotEndWriting(int epoch) throws Exception {
        if (epoch > 1) {
            CommitPosition begun = new CommitPosition(new RowVersion(epoch, 0), fixture.clock.instant());
            fixture.stores().facts().beginEpoch(begun);
            fixture.restart(0);
        }
        fixture.put(1, "Delft");
        fixture.run();
        RowVersion last = new RowVersion(9999, 1);
        ChangeEvent forged = new ChangeEvent.Deleted(customerKey(1), last, fixture.clock.instant());
        int partition = TestTables.CUSTOMERS.partitionOf(customerKey(1));
        fixture.log.intrude("customers", partition, forged);
        fixture.log.intrude("customers", partition, new Heartbeat(forged.committedAt(), last));

        fixture.putBack(fixture.disk.copy());
        fixture.settle();
        fixture.put(2, "Gouda");
        fixture.settle();

        assertThat(newestVersion(2).epoch()).isEqualTo(epoch);
    }

    @Test
    void noWriteIsTakenBeforeTheTopicsHaveBeenAsked() throws Exception {
        fixture.put(1, "Delft");
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(1, "lost");
        fixture.run();

        fixture.log.setDown(true);
        fixture.putBack(copy);
        assertThatThrownBy(() -> fixture.put(1, "new"))
                .isInstanceOf(WritesRefusedException.class)
                .hasMessageContaining("the topics have not been asked yet");
        fixture.run();
        assertThatThrownBy(() -> fixture.put(1, "new"))
                .isInstanceOf(WritesRefusedException.class)
                .hasMessageContaining("the log is down");

        fixture.log.setDown(false);
        fixture.settle();
        fixture.put(1, "new");
        assertThat(fixture.stores().facts().find("customers", customerKey(1)))
                .satisfies(row -> assertThat(row.version().epoch()).isEqualTo(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"customers", "movies", "customers,movies"})
    void nothingIsAnsweredBeforeTheWriterMayLookAtEachTopic(String forbidden) throws Exception {
        fixture.put(1, "Delft");
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(1, "lost");
        fixture.put(4, "lost");
        fixture.putMovie("lost");
        fixture.run();

        forbid(forbidden, true);
        fixture.putBack(copy);
        fixture.run();
        fixture.waitForRetry();
        fixture.run();
        assertThat(fixture.status.refusal()).get().asString().contains("not authorized");
        assertThat(fixture.stores().ledger().unsettled()).isPresent();

        forbid(forbidden, false);
        fixture.settle();
        assertThat(newest(1)).contains(upserted(1, "Delft", newestVersion(1)));
        assertThat(newestVersion(1).epoch()).isEqualTo(2);
        assertThat(newest(4)).get().isInstanceOf(ChangeEvent.Deleted.class);
        assertThat(fixture.log.records("movies", RelayFixture.partitionOfMovie("lost")))
                .filteredOn(ChangeEvent.class::isInstance)
                .last()
                .isInstanceOf(ChangeEvent.Deleted.class);
        assertThat(fixture.stores().ledger().unsettled()).isEmpty();
    }

    private void forbid(String tables, boolean isForbidden) {
        List.of(tables.split(",")).forEach(table -> fixture.log.forbid(table, isForbidden));
    }

    @Test
    void aTopicThatMayNotBeMadeHidesNothing() throws Exception {
        fixture.log.forbid("movies", true);
        fixture.putBack(fixture.disk.copy());
        assertThat(fixture.stores().ledger().unsettled()).isPresent();

        fixture.settle();

        assertThat(fixture.held("movies")).contains(TableHold.Kind.REFUSED);
        assertThat(fixture.stores().ledger().unsettled()).isEmpty();
        fixture.put(1, "Delft");
    }

    @Test
    void writesAreTakenAsSoonAsNoVersionCanBeGivenTwice() throws Exception {
        fixture.put(1, "Delft");
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(1, "lost");
        fixture.run();
        fixture.putBack(copy);

        for (int i = 0; i < 100 && fixture.status.refusal().isPresent(); i++) {
            fixture.step();
            fixture.idle();
        }

        assertThat(fixture.phase()).isEqualTo(RelayState.Phase.UNDOING);
        fixture.put(1, "new");
        assertThat(fixture.stores().facts().find("customers", customerKey(1)))
                .satisfies(row -> assertThat(row.version().epoch()).isEqualTo(2));
    }

    @Test
    void writesAreRefusedUntilTheEpochHasBegun() throws Exception {
        fixture.put(1, "Delft");
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(1, "lost");
        fixture.run();
        fixture.putBack(copy);

        fixture.run();
        assertThat(fixture.status.refusal()).isPresent();

        fixture.idle();
        fixture.run();
        assertThat(fixture.status.refusal()).isEmpty();
    }

    @Test
    void aCommitThatFailsInTheMiddleIsMadeAgain() throws Exception {
        fixture.put(1, "Delft");
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(1, "lost");
        fixture.run();
        fixture.putBack(copy);
        fixture.run();
        fixture.idle();
        fixture.run();
        fixture.disk.failNextWrite(new IllegalStateException("disk full"));
        fixture.idle();
        fixture.step();
        assertThat(fixture.phase()).isEqualTo(RelayState.Phase.WAITING);

        fixture.settle();

        assertThat(newest(1)).contains(upserted(1, "Delft", newestVersion(1)));
    }

    @Test
    void aWriterThatDoesNotLeadDismissesNothing() throws Exception {
        fixture.run();
        fixture.leadership = leadership(false, 0);
        fixture.restart(0);
        var done = fixture.dismissals().dismiss("customers", 0, customerKey(1));

        fixture.run();

        assertThat(done).isCompletedWithValue(Dismissals.Outcome.UNAVAILABLE);
    }

    @Test
    void aRowWrittenUnderALostVersionBeforeTheTopicsCouldBeAskedIsTheOneThatStays() throws Exception {
        fixture.put(1, "Delft");
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(1, "lost");
        fixture.run();

        fixture.log.setDown(true);
        fixture.putBack(copy);
        fixture.putUnasked(1, "new");
        fixture.run();
        fixture.log.setDown(false);
        fixture.settle();

        assertThat(newestVersion(1).epoch()).isEqualTo(2);
        assertThat(newest(1)).contains(upserted(1, "new", newestVersion(1)));
    }

    @Test
    void writesBeforeTheTopicsCouldBeAskedDoNotHideTheLossFromTheNextProcess() throws Exception {
        fixture.put(1, "Delft");
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(1, "lost");
        fixture.run();

        fixture.log.setDown(true);
        fixture.putBack(copy);
        for (int id = 10; id < 15; id++) {
            fixture.putUnasked(id, "Gouda");
        }
        fixture.run();
        fixture.restart(0);
        fixture.log.setDown(false);
        fixture.settle();

        assertThat(newest(1)).contains(upserted(1, "Delft", newestVersion(1)));
        assertThat(newestVersion(1).epoch()).isEqualTo(2);
    }

    @Test
    void noOlderChangeIsPublishedBehindTheTraceOfTheLostTime() throws Exception {
        fixture.put(1, "Delft");
        fixture.run();
        fixture.put(2, "not published yet");
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(2, "lost");
        fixture.run();

        fixture.putBack(copy);
        fixture.settle();

        assertThat(fixture.events().stream()
                        .filter(event -> event.key().equals(customerKey(2)))
                        .map(event -> event.version().epoch()))
                .containsExactly(1L, 1L, 2L);
        assertThat(newest(2)).contains(upserted(2, "not published yet", newestVersion(2)));
    }

    @Test
    void nothingProvesThatATopicIsCompleteBeforeAllIsUndone() throws Exception {
        for (int steps = 0; steps < 12; steps += 4) {
            RelayFixture crashing = new RelayFixture();
            crashing.run();
            for (int id = 0; id < 510; id++) {
                crashing.put(id, "not published yet");
            }
            InMemoryDisk copy = crashing.disk.copy();
            crashing.put(1, "lost");
            crashing.run();
            crashing.putBack(copy);
            for (int i = 0; i < steps; i++) {
                crashing.step();
                crashing.idle();
            }
            int before = crashing.log.sent();

            crashing.restart(0);
            for (int i = 0; i < 2_000 && crashing.stores().ledger().unsettled().isPresent(); i++) {
                crashing.idle();
                crashing.step();
                crashing.clock.advance(Duration.ofMillis(10));
            }
            crashing.settle();

            assertThat(crashing.log.published().stream()
                            .skip(before)
                            .takeWhile(one -> one.message() instanceof ChangeEvent)
                            .map(one -> one.expectation().offset()))
                    .as("after %d steps", steps)
                    .isNotEmpty()
                    .containsOnly(ExpectedPosition.UNKNOWN);
        }
    }

    @Test
    void aDeleteThatLeftNoTraceInTheTopicIsUndoneToo() throws Exception {
        fixture.put(1, "Delft");
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.delete(1);
        fixture.put(2, "lost");
        fixture.run();
        fixture.log.forget("customers", customerKey(1));

        fixture.putBack(copy);
        fixture.settle();

        assertThat(newest(1)).contains(upserted(1, "Delft", newestVersion(1)));
        assertThat(newestVersion(1).epoch()).isEqualTo(2);
    }

    @Test
    void aRowOfTheLostTimeIsUndoneWhereALateDeleteMadeItGo() throws Exception {
        fixture.put(1, "Delft");
        fixture.delete(1);
        fixture.run();
        ChangeEvent delete = newest(1).orElseThrow();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(1, "lost");
        fixture.put(2, "lost");
        fixture.run();
        fixture.log.forget("customers", customerKey(1));
        fixture.log.intrude("customers", RelayFixture.partitionOf(1), delete);

        fixture.putBack(copy);
        fixture.settle();

        assertThat(newest(1)).get().isInstanceOf(ChangeEvent.Deleted.class);
        assertThat(newestVersion(1).epoch()).isEqualTo(2);
    }

    @Test
    void noLaterCommitHasATimeThatReadersWereToldToBeComplete() throws Exception {
        fixture.put(1, "Delft");
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.clock.advance(Duration.ofSeconds(50));
        fixture.idle();
        fixture.run();
        fixture.put(1, "lost");
        fixture.run();
        Instant told = fixture.heartbeat(0).orElseThrow().completeUpTo();
        fixture.clock.advance(Duration.ofSeconds(-50));

        fixture.putBack(copy);
        fixture.settle();
        fixture.put(1, "new");
        fixture.run();

        assertThat(fixture.events())
                .last()
                .satisfies(event -> assertThat(event.committedAt()).isAfter(told));
    }

    @Test
    void whatFailsInTheMiddleIsDoneAgain() throws Exception {
        for (int id = 0; id < 20; id++) {
            fixture.put(id, "Delft");
        }
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(1, "lost");
        fixture.put(50, "lost");
        fixture.run();
        fixture.putBack(copy);

        for (int i = 0; i < 40; i++) {
            // A failure at every step that reads the topics, and what is being committed then is not waited for.
            fixture.log.setDown(i % 2 == 0);
            fixture.step();
            fixture.idle();
            fixture.waitForRetry();
        }
        fixture.log.setDown(false);
        fixture.settle();

        assertThat(newest(1)).contains(upserted(1, "Delft", newestVersion(1)));
        assertThat(newest(50)).get().isInstanceOf(ChangeEvent.Deleted.class);
        for (int id = 0; id < 20; id++) {
            assertThat(newestVersion(id).epoch()).isGreaterThan(1);
        }
    }

    @Test
    void aReadThatFailsHidesNoLoss() throws Exception {
        for (int reads = 0; reads < 8; reads++) {
            RelayFixture failing = new RelayFixture();
            failing.put(1, "Delft");
            failing.run();
            InMemoryDisk copy = failing.disk.copy();
            failing.put(1, "lost");
            failing.put(50, "lost");
            failing.run();
            failing.putBack(copy);
            failing.log.failReadAfter(reads);

            failing.settle();

            assertThat(newest(failing, 1).orElseThrow().version().epoch())
                    .as("after %d reads", reads)
                    .isEqualTo(2);
            assertThat(newest(failing, 50)).get().isInstanceOf(ChangeEvent.Deleted.class);
        }
    }

    @Test
    void whatACrashInterruptsIsDoneAgain() throws Exception {
        for (int steps = 0; steps < 12; steps++) {
            RelayFixture crashing = new RelayFixture();
            crashing.put(1, "Delft");
            crashing.run();
            InMemoryDisk copy = crashing.disk.copy();
            crashing.put(1, "lost");
            crashing.put(2, "lost");
            crashing.run();
            crashing.putBack(copy);
            for (int i = 0; i < steps; i++) {
                crashing.step();
                crashing.idle();
            }

            crashing.restart(0);
            crashing.settle();

            ChangeEvent last = newest(crashing, 1).orElseThrow();
            assertThat(last)
                    .as("after %d steps", steps)
                    .isInstanceOfSatisfying(
                            ChangeEvent.Upserted.class,
                            row -> assertThat(row.row()).isEqualTo(customer(1, "Delft")));
            assertThat(newest(crashing, 2)).get().isInstanceOf(ChangeEvent.Deleted.class);
        }
    }

    @Test
    void whatIsWrittenMeanwhileIsPublishedWhileATableIsUndone() throws Exception {
        for (int id = 0; id < 3_000; id++) {
            fixture.put(id, "Delft");
        }
        fixture.settle();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(1, "lost");
        fixture.run();
        fixture.putBack(copy);
        for (int i = 0; i < 5_000 && fixture.status.refusal().isPresent(); i++) {
            fixture.step();
            fixture.idle();
        }
        assertThat(fixture.phase()).isEqualTo(RelayState.Phase.UNDOING);
        int heartbeats = heartbeats();

        fixture.put(5_000, "new");
        for (int i = 0; i < 20; i++) {
            fixture.step();
        }

        assertThat(fixture.phase()).isEqualTo(RelayState.Phase.UNDOING);
        assertThat(newest(5_000)).isPresent();
        assertThat(heartbeats()).as("nobody is told that this is all").isEqualTo(heartbeats);
    }

    @Test
    void nobodyIsToldThatATableIsUndoneBeforeTheLastOfItIsPublished() throws Exception {
        fixture.put(1, "published when it was copied");
        fixture.run();
        fixture.put(1, "not published then");
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(1, "lost");
        fixture.run();
        fixture.putBack(copy);
        int before = heartbeats();
        for (int i = 0; i < 100 && fixture.status.refusal().isPresent(); i++) {
            fixture.step();
            fixture.idle();
        }

        // After so many at once, a few more wait for company until time goes by.
        for (int id = 100; id < 400; id++) {
            fixture.put(id, "new");
        }
        for (int i = 0; i < 100; i++) {
            fixture.step();
            fixture.idle();
        }

        assertThat(newestVersion(1).epoch()).as("the row waits").isEqualTo(1);
        assertThat(heartbeats()).isEqualTo(before);
        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.run();
        assertThat(newestVersion(1).epoch()).isEqualTo(2);
        assertThat(heartbeats()).isGreaterThan(before);
    }

    private int heartbeats() {
        return (int) fixture.log.records("customers", 0).stream()
                .filter(Heartbeat.class::isInstance)
                .count();
    }

    @Test
    void aWriterThatTakesOverFromAnotherDirectoryBeginsAnEpochAndPublishesNothingAgain() throws Exception {
        fixture.put(1, "Delft");
        fixture.run();
        fixture.stores()
                .ledger()
                .unsettled(fixture.stores().facts().lastCommit().version());
        fixture.leadership = leadership(true, 2);

        fixture.restart(0);
        fixture.settle();
        fixture.put(2, "Gouda");
        fixture.run();

        assertThat(newestVersion(2).epoch()).isEqualTo(2);
        assertThat(newestVersion(1)).isEqualTo(new RowVersion(1, 1));
    }

    @Test
    void aTakeoverWhoseEpochStandsBeginsNoOther() throws Exception {
        fixture.put(1, "Delft");
        fixture.run();
        fixture.stores()
                .ledger()
                .unsettled(fixture.stores().facts().lastCommit().version());
        fixture.leadership = leadership(true, 1);

        fixture.restart(0);
        fixture.settle();
        fixture.put(2, "Gouda");
        fixture.run();

        assertThat(newestVersion(2).epoch()).isEqualTo(1);
    }

    @Test
    void whatWasLostIsUndoneInNoEpochInWhichAnotherDirectoryMayHaveGivenVersions() throws Exception {
        fixture.put(1, "Delft");
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(1, "lost");
        fixture.run();
        fixture.leadership = leadership(true, 3);

        fixture.putBack(copy);
        fixture.settle();

        assertThat(newestVersion(1).epoch()).isEqualTo(3);
    }

    @Test
    void aWriterThatDoesNotLeadPublishesNothing() throws Exception {
        fixture.run();
        fixture.put(1, "Delft");
        fixture.leadership = leadership(false, 0);
        fixture.restart(0);

        fixture.run();

        assertThat(newest(1)).isEmpty();
    }

    @Test
    void aWriterThatNoLongerLeadsClosesItsProducerOnce() throws Exception {
        AtomicBoolean held = new AtomicBoolean(true);
        fixture.leadership = new Leadership() {
            @Override
            public boolean isHeld() {
                return held.get();
            }

            @Override
            public long leastEpoch() {
                return 0;
            }
        };
        fixture.restart(0);
        fixture.run();
        int before = fixture.log.resets();

        held.set(false);
        fixture.run();

        assertThat(fixture.log.resets()).isEqualTo(before + 1);
    }

    private static Leadership leadership(boolean held, long leastEpoch) {
        return new Leadership() {
            @Override
            public boolean isHeld() {
                return held;
            }

            @Override
            public long leastEpoch() {
                return leastEpoch;
            }
        };
    }

    @Test
    void aTableThatLeftTheCatalogIsNotUndone() throws Exception {
        fixture.putMovie("one");
        fixture.put(1, "Delft");
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(1, "lost");
        fixture.run();
        fixture.left.add("movies");

        fixture.putBack(copy);
        fixture.settle();

        assertThat(newestVersion(1).epoch()).isEqualTo(2);
        assertThat(fixture.stores().facts().scan("movies", null, 10, 1_000).rows())
                .singleElement()
                .satisfies(row -> assertThat(row.stored().version()).isEqualTo(new RowVersion(1, 1)));
        assertThat(fixture.log.isReading()).isFalse();
    }

    @Test
    void whatRecoverySupersedesDoesNotCountAsLeftOutWhereAnotherTableIsNotInTheCatalog() throws Exception {
        fixture.put(1, "Delft");
        fixture.run();
        fixture.log.setDown(true);
        fixture.put(2, "superseded");
        InMemoryDisk copy = fixture.disk.copy();
        fixture.log.setDown(false);
        fixture.waitForRetry();
        fixture.put(1, "lost");
        fixture.run();
        fixture.left.add("movies");

        fixture.putBack(copy);
        fixture.settle();

        assertThat(newestVersion(2).epoch()).isEqualTo(2);
        assertThat(fixture.backlog.records("customers")).isZero();
    }

    @Test
    void aRestartThatLostNothingStaysInItsEpoch() throws Exception {
        fixture.put(1, "Delft");
        fixture.run();

        fixture.restart(0);
        fixture.put(2, "Gouda");
        fixture.run();

        assertThat(newestVersion(2)).isEqualTo(new RowVersion(1, 2));
        assertThat(fixture.phase()).isEqualTo(RelayState.Phase.RUNNING);
    }

    private RowVersion newestVersion(long id) {
        return newest(id).orElseThrow().version();
    }

    private Optional<ChangeEvent> newest(long id) {
        return newest(fixture, id);
    }

    private static Optional<ChangeEvent> newest(RelayFixture fixture, long id) {
        return fixture.events().stream()
                .filter(event -> event.key().equals(customerKey(id)))
                .reduce((a, b) -> b.version().isAfter(a.version()) ? b : a);
    }

    private ChangeEvent upserted(long id, String town, RowVersion version) {
        return fixture.events().stream()
                .filter(event -> event.key().equals(customerKey(id))
                        && event.version().equals(version)
                        && event instanceof ChangeEvent.Upserted row
                        && row.row().equals(customer(id, town)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        "expected " + id + " in " + town + " as version " + version + " among " + fixture.events()));
    }
}
