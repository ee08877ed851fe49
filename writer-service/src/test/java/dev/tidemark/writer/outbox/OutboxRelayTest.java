package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Generation;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryTerms;
import dev.tidemark.digest.RowTerms;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.writer.outbox.RelayState.Phase;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class OutboxRelayTest {
    private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(1);

    private final RelayFixture fixture = new RelayFixture();

    @Test
    void makesTheTopicsAndPublishesWhatIsCommitted() throws Exception {
        fixture.put(1, "a");
        fixture.put(1, "b");
        fixture.delete(1);

        fixture.run();

        assertThat(fixture.phase()).isEqualTo(Phase.RUNNING);
        assertThat(fixture.log.hasTopic("movies")).isTrue();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L, 3L);
        assertThat(fixture.events().get(2)).isInstanceOf(ChangeEvent.Deleted.class);
        assertThat(fixture.stores().outbox().publishedThrough()).isEqualTo(3);
        assertThat(fixture.backlog.records("customers")).isZero();
    }

    @Test
    void publishesTheRestAfterAFailureInTheMiddle() throws Exception {
        fixture.run();
        fixture.put(1, "a");
        fixture.put(1, "b");
        fixture.put(1, "c");
        fixture.log.failAfter(2);

        fixture.step();
        assertThat(fixture.phase()).isEqualTo(Phase.WAITING);
        assertThat(fixture.stores().outbox().publishedThrough()).isZero();
        assertThat(fixture.step()).isZero();

        fixture.waitForRetry();
        fixture.run();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L, 1L, 2L, 3L);
        assertThat(fixture.phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void storesHowFarItCameWhereThatFailedBefore() throws Exception {
        fixture.run();
        fixture.put(1, "a");
        fixture.disk.failWriteAfter(1, new IllegalStateException("no answer"));

        fixture.run();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L);
        assertThat(fixture.stores().outbox().publishedThrough()).isZero();
        fixture.waitForRetry();
        fixture.run();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L);
        assertThat(fixture.stores().outbox().publishedThrough()).isEqualTo(1);
    }

    @Test
    void saysWhenChangesWereHandedOverThisTime() throws Exception {
        fixture.run();
        fixture.put(1, "a");
        fixture.clock.advance(Duration.ofMillis(30));
        fixture.log.failAfter(0);
        fixture.step();
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.handovers())
                .singleElement()
                .satisfies(handover -> assertThat(handover.handedOverMicros()).isBetween(6_000_000L, 7_000_000L));
    }

    @Test
    void knowsAfterARestartOnlyHowLongAChangeHasWaited() throws Exception {
        fixture.put(1, "a");
        fixture.clock.advance(Duration.ofSeconds(3));
        fixture.restart(0);
        fixture.run();

        assertThat(fixture.handovers()).singleElement().satisfies(handover -> {
            assertThat(handover.onDiskMicros()).isZero();
            assertThat(handover.handedOverMicros()).isBetween(3_000_000L, 4_000_000L);
        });
    }

    @Test
    void drainsWhenTheLogComesBack() throws Exception {
        fixture.log.setDown(true);
        fixture.put(1, "a");
        fixture.run();
        assertThat(fixture.phase()).isEqualTo(Phase.WAITING);
        fixture.put(1, "b");
        assertThat(fixture.backlog.records("customers")).isEqualTo(2);

        fixture.log.setDown(false);
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
    }

    @Test
    void goesOnAfterARestartWhereItWas() throws Exception {
        fixture.put(1, "a");
        fixture.run();

        fixture.restart(0);
        fixture.put(1, "b");
        fixture.run();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
    }

    @Test
    void publishesAgainWhenAPowerCutTakesItsMarks() throws Exception {
        fixture.run();
        fixture.put(1, "a");
        fixture.run();

        fixture.restart(fixture.disk.unsynced());
        fixture.run();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 1L);
    }

    @Test
    void holdsMemoryForNoMoreThanIsUnderWay() throws Exception {
        fixture.run();
        fixture.log.setSilent(true);
        fixture.put(1, "a");
        fixture.put(2, "b");
        fixture.run();
        assertThat(fixture.memory.reserved()).isBetween(1L, 10_000L);

        fixture.log.setSilent(false);
        fixture.log.failUnderWay();
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.sequencesOf(2)).endsWith(2L);
        assertThat(fixture.memory.reserved()).isZero();
    }

    @Test
    void memoryIsGivenBackWhereWhatIsLeftOutCannotBeNoted() throws Exception {
        fixture.run();
        fixture.log.object("movies", "its cleanup.policy is delete");
        fixture.clock.advance(TopicReconciler.SURE_AFTER);
        fixture.run();
        assertThat(fixture.held("movies")).contains(TableHold.Kind.REFUSED);
        fixture.putOwnMovie("left out");
        fixture.disk.setFull(true);
        fixture.run();
        assertThat(fixture.phase()).isEqualTo(Phase.WAITING);

        assertThat(fixture.memory.reserved()).isZero();
    }

    @Test
    void goesOnPageByPageWhereThereIsNoMemory() throws Exception {
        fixture.memory = new MemoryBudget(1).part("publishing", 1);
        fixture.restart(0);
        fixture.run();
        fixture.put(1, "a");
        fixture.run();
        fixture.put(1, "b");
        fixture.run();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
    }

    @Test
    void sendsNoMoreWhileThereIsNoMemoryAndSomeAreUnderWay() throws Exception {
        fixture.memory = new MemoryBudget(1).part("publishing", 1);
        fixture.restart(0);
        fixture.run();
        fixture.log.setSilent(true);
        fixture.put(1, "a");
        fixture.step();
        fixture.put(1, "b");
        fixture.run();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L);

        fixture.log.setSilent(false);
        fixture.run();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
    }

    @Test
    void missesTheNewestChangeToo() throws Exception {
        fixture.run();
        fixture.put(1, "a");
        fixture.disk.damageOutbox(1);

        fixture.run();

        assertThat(fixture.status.refusal())
                .hasValueSatisfying(text -> assertThat(text).contains("the outbox lacks change 1"));
    }

    @Test
    void restsWhenThereIsNothingToDo() throws Exception {
        fixture.put(1, "a");
        fixture.run();

        assertThat(IntStream.range(0, 5).map(i -> step())).containsOnly(0);
    }

    private int step() {
        try {
            return fixture.step();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void neverPublishesPastAGap() throws Exception {
        fixture.run();
        fixture.put(1, "a");
        fixture.put(2, "b");
        fixture.put(3, "c");
        fixture.disk.damageOutbox(2);

        fixture.run();

        assertThat(fixture.phase()).isEqualTo(Phase.REFUSED);
        assertThat(fixture.status.refusal())
                .hasValueSatisfying(
                        text -> assertThat(text).contains("the outbox lacks change 2; the next one it has is 3"));
        assertThat(fixture.sequencesOf(3)).isEmpty();
        assertThat(fixture.memory.reserved()).isZero();
    }

    @Test
    void tellsEveryPartitionHowCompleteItIsOnlyAfterAllThatItCovers() throws Exception {
        fixture.put(1, "a");
        fixture.log.setDown(true);
        fixture.run();
        fixture.log.setDown(false);
        fixture.waitForRetry();
        fixture.idle();
        Instant now = fixture.clock.instant();

        fixture.run();

        for (int partition = 0; partition < 4; partition++) {
            assertThat(fixture.heartbeat(partition)).contains(new Heartbeat(now, version(1)));
            var records = fixture.log.records("customers", partition);
            assertThat(records.get(records.size() - 1)).isInstanceOf(Heartbeat.class);
        }
        assertThat(fixture.log.records("movies", 1)).contains(new Heartbeat(now, version(1)));
    }

    @Test
    void heartbeatsMoveWithTheClockWhileNothingIsWritten() throws Exception {
        fixture.run();
        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.idle();

        fixture.step();

        assertThat(fixture.heartbeat(0)).contains(new Heartbeat(fixture.clock.instant(), version(0)));
    }

    @Test
    void aHeartbeatAmidABacklogStaysBeforeTheNewestPublishedChange() throws Exception {
        fixture.run();
        for (int i = 0; i < 6_000; i++) {
            fixture.put(i % 100, "a");
        }
        fixture.clock.advance(RelayFixture.HEARTBEAT);

        fixture.step();

        assertThat(fixture.stores().outbox().publishedThrough()).isEqualTo(5_000);
        Instant newest = fixture.events().stream()
                .map(ChangeEvent::committedAt)
                .max(Instant::compareTo)
                .orElseThrow();
        assertThat(fixture.heartbeat(0)).contains(new Heartbeat(newest.minusNanos(1), version(5_000)));
    }

    @Test
    void anUnexpectedFailureIsTriedAgain() throws Exception {
        fixture.run();
        fixture.put(1, "a");
        fixture.disk.failNextWrite(new IllegalStateException("disk full"));

        fixture.step();
        assertThat(fixture.phase()).isEqualTo(Phase.WAITING);

        fixture.waitForRetry();
        fixture.run();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 1L);
        assertThat(fixture.backlog.records("customers")).isZero();
    }

    /** The mark may be stored all the same. What is taken for not published then would be left out after a restart. */
    @Test
    void whatIsAcknowledgedAndCannotBeMarkedIsNeitherSentNorCountedAgain() throws Exception {
        fixture.run();
        fixture.log.setSilent(true);
        fixture.put(1, "a");
        fixture.step();
        // What the topic holds is noted first.
        fixture.disk.failWriteAfter(1, new IllegalStateException("the database is away"));
        fixture.log.setSilent(false);

        fixture.step();
        assertThat(fixture.phase()).isEqualTo(Phase.WAITING);
        assertThat(fixture.backlog.records("customers")).isZero();

        fixture.waitForRetry();
        fixture.put(1, "b");
        fixture.run();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
        assertThat(fixture.backlog.records("customers")).isZero();
        assertThat(fixture.stores().outbox().publishedThrough()).isEqualTo(2);
    }

    @Test
    void handsOverWhatComesWhileEarlierChangesAreUnderWay() throws Exception {
        fixture.run();
        fixture.log.setSilent(true);
        fixture.put(1, "a");
        fixture.step();
        fixture.put(1, "b");
        fixture.step();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
        assertThat(fixture.stores().outbox().publishedThrough()).isZero();
        assertThat(fixture.backlog.records("customers")).isEqualTo(2);

        fixture.log.setSilent(false);
        fixture.step();
        assertThat(fixture.stores().outbox().publishedThrough()).isEqualTo(2);
        assertThat(fixture.backlog.records("customers")).isZero();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
    }

    @Test
    void publishesAllThatWasUnderWayAgainAfterAFailure() throws Exception {
        fixture.run();
        fixture.log.setSilent(true);
        fixture.put(1, "a");
        fixture.step();
        fixture.put(1, "b");
        fixture.log.failAfter(0);
        fixture.step();
        assertThat(fixture.phase()).isEqualTo(Phase.WAITING);
        assertThat(fixture.stores().outbox().publishedThrough()).isZero();

        fixture.log.setSilent(false);
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 1L, 2L);
        assertThat(fixture.backlog.records("customers")).isZero();
    }

    @Test
    void publishesAgainWhatTurnsOutLaterToHaveFailed() throws Exception {
        fixture.run();
        fixture.log.setSilent(true);
        fixture.put(1, "a");
        fixture.step();
        fixture.put(1, "b");
        fixture.step();
        fixture.log.failUnderWay();
        fixture.step();
        assertThat(fixture.phase()).isEqualTo(Phase.WAITING);

        fixture.log.setSilent(false);
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.phase()).isEqualTo(Phase.RUNNING);
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L, 1L, 2L);
        assertThat(fixture.stores().outbox().publishedThrough()).isEqualTo(2);
    }

    @Test
    void sendsNoMoreThanSomePagesBeforeTheyAreAcknowledged() throws Exception {
        fixture.run();
        fixture.log.setSilent(true);
        for (int i = 0; i < 12_000; i++) {
            fixture.put(i % 7, "t");
        }
        fixture.run();
        assertThat(fixture.events()).hasSizeBetween(1_000, 8_000);

        fixture.log.setSilent(false);
        for (int i = 0; i < 20; i++) {
            fixture.run();
        }

        assertThat(fixture.stores().outbox().publishedThrough()).isEqualTo(12_000);
    }

    @Test
    void aHeartbeatClaimsNothingThatIsStillUnderWay() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        fixture.log.setSilent(true);
        fixture.put(1, "b");
        fixture.clock.advance(RelayFixture.HEARTBEAT);

        fixture.step();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
        Instant first = fixture.events().get(0).committedAt();
        assertThat(fixture.heartbeat(0)).contains(new Heartbeat(first.minusNanos(1), version(1)));
    }

    @Test
    void tellsDigestsJustBehindTheChangesThatTheyCountAndBeforeAllOthers() throws Exception {
        fixture.put(1, "a");
        fixture.addUp();
        fixture.idle();
        for (int i = 0; i < 50; i++) {
            fixture.put(i % 7, "t" + i % 3);
            fixture.clock.advance(Duration.ofMillis(i % 5 == 0 ? 700 : 10));
            if (i % 3 == 0) {
                fixture.run();
            }
        }
        fixture.run();

        assertThat(marks(fixture)).isGreaterThan(4 * 3);
        assertThat(fixture.stores().outbox().publishedThrough()).isEqualTo(51);
    }

    @Test
    void tellsNoDigestsFromBeforeATopicWasFilledAgain() throws Exception {
        fixture.put(1, "a");
        fixture.addUp();
        fixture.idle();
        fixture.run();
        fixture.put(1, "b");
        fixture.log.setDown(true);
        fixture.clock.advance(Duration.ofSeconds(2));
        fixture.put(1, "c");
        fixture.log.setDown(false);
        fixture.log.deleteTopic("customers");
        fixture.put(1, "d");
        fixture.waitForRetry();
        fixture.run();
        fixture.waitForRetry();
        fixture.run();
        fixture.waitForRetry();
        fixture.run();
        fixture.put(1, "e");
        fixture.run();

        assertThat(marks(fixture)).isPositive();
    }

    @Test
    void tellsNoDigestsThatAreOlderThanRowsWhichWereJustPublishedAgain() throws Exception {
        for (int steps = 0; steps < 30; steps++) {
            RelayFixture filling = new RelayFixture();
            filling.put(1, "a");
            filling.addUp();
            filling.idle();
            filling.run();
            filling.log.deleteTopic("customers");
            filling.clock.advance(Duration.ofSeconds(20));
            for (int i = 0; i < steps; i++) {
                filling.step();
                filling.clock.advance(Duration.ofMillis(200));
            }
            filling.put(1, "b");
            filling.clock.advance(Duration.ofSeconds(2));
            filling.idle();
            filling.put(1, "c");
            for (int i = 0; i < 5; i++) {
                filling.run();
                filling.waitForRetry();
            }
            filling.put(1, "d");
            filling.clock.advance(Duration.ofSeconds(2));
            filling.idle();
            filling.run();

            assertThat(marks(filling)).as("after %d steps", steps).isPositive();
        }
    }

    /** A checkpoint waits with changes that many others delay, while newer rows fill a topic. */
    @Test
    void publishesNoDigestsThatWaitedWhileATopicWasFilled() throws Exception {
        for (int steps = 0; steps < 40; steps++) {
            RelayFixture filling = new RelayFixture(10);
            filling.put(1, "a");
            filling.addUp();
            filling.idle();
            putMovies(filling, 40);
            filling.run();
            filling.log.deleteTopic("customers");
            filling.clock.advance(Duration.ofSeconds(20));
            for (int i = 0; i < steps; i++) {
                filling.step();
                filling.clock.advance(Duration.ofMillis(100));
            }
            putMovies(filling, 1);
            filling.clock.advance(CHECKPOINT_INTERVAL.minusMillis(2));
            filling.step();
            filling.step();
            putMovies(filling, 150);
            filling.step();
            filling.clock.advance(Duration.ofMillis(2));
            filling.put(1, "b");
            filling.put(1, "c");
            for (int i = 0; i < 6; i++) {
                filling.step();
            }
            for (int i = 0; i < 5; i++) {
                filling.run();
                filling.waitForRetry();
            }
            filling.put(1, "d");
            filling.clock.advance(CHECKPOINT_INTERVAL);
            filling.idle();
            filling.run();

            assertThat(marks(filling)).as("after %d steps", steps).isPositive();
        }
    }

    @Test
    void publishesNoDigestsFromBeforeLostRowsWereUndone() throws Exception {
        fixture.put(1, "kept");
        fixture.addUp();
        fixture.idle();
        fixture.run();
        InMemoryDisk copy = fixture.disk.copy();
        fixture.put(1, "lost");
        fixture.run();
        fixture.putBack(copy);
        fixture.addUp();
        fixture.clock.advance(CHECKPOINT_INTERVAL);
        fixture.idle();

        fixture.settle();
        fixture.clock.advance(CHECKPOINT_INTERVAL);
        fixture.put(1, "new");
        fixture.settle();

        assertThat(marks(fixture)).isPositive();
    }

    private static void putMovies(RelayFixture fixture, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            fixture.putMovie("m" + i);
        }
    }

    /** How many heartbeats tell digests; each must stand in its place and be what the changes before it give. */
    private static int marks(RelayFixture fixture) {
        int marks = 0;
        RowTerms terms = new RowTerms(
                List.of(new Generation(1, TestTables.CUSTOMERS.indexes().get(0))));
        for (int partition = 0; partition < 4; partition++) {
            Map<KeyBytes, ChangeEvent> rows = new HashMap<>();
            for (ChangeMessage message : fixture.log.records("customers", partition)) {
                if (message instanceof ChangeEvent event) {
                    rows.merge(event.key(), event, (a, b) -> b.version().isAfter(a.version()) ? b : a);
                } else if (message instanceof Heartbeat mark && !mark.digests().isEmpty()) {
                    Digest given = Digest.EMPTY;
                    for (ChangeEvent row : rows.values()) {
                        assertThat(row.version().isAfter(mark.frontier())).isFalse();
                        if (row instanceof ChangeEvent.Upserted there) {
                            given = given.plus(terms.of(there.key(), there.row())
                                    .getOrDefault(1L, EntryTerms.NONE)
                                    .at(there.version()));
                        }
                    }
                    assertThat(mark.digests()).isEqualTo(new TreeMap<>(Map.of(1L, given)));
                    marks++;
                }
            }
        }
        return marks;
    }

    @Test
    void aLookAtTheTopicsHoldsUpNothing() throws Exception {
        fixture.run();
        fixture.log.setSilent(true);
        fixture.put(1, "a");
        fixture.step();
        fixture.clock.advance(Duration.ofSeconds(16));
        fixture.stepUnanswered();
        fixture.put(1, "b");
        fixture.stepUnanswered();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
        fixture.log.setSilent(false);
        fixture.stepUnanswered();
        assertThat(fixture.stores().outbox().publishedThrough()).isEqualTo(2);
        fixture.run();
        assertThat(fixture.phase()).isEqualTo(Phase.RUNNING);
        assertThat(fixture.sequencesOf(1))
                .as("what is acknowledged after the look began is no loss")
                .containsExactly(1L, 2L);
    }

    /** Where the disk fails at a commit, the frontier goes past it, and a restart may bring it all the same. */
    @Test
    void saysNothingOfAFrontierThatMovedAfterItsLeadershipWasLost() throws Exception {
        AtomicBoolean fails = new AtomicBoolean();
        AtomicBoolean failed = new AtomicBoolean();
        fixture.leadership = new Leadership() {
            @Override
            public boolean isHeld() {
                boolean before = !failed.get();
                failed.compareAndSet(false, fails.get());
                return before;
            }

            @Override
            public long leastEpoch() {
                return 0;
            }
        };
        fixture.restart(0);
        fixture.put(1, "a");
        fixture.run();
        Optional<Heartbeat> before = fixture.heartbeat(0);

        fixture.clock.advance(RelayFixture.HEARTBEAT.multipliedBy(2));
        fixture.idle();
        fails.set(true);
        fixture.step();

        assertThat(failed).isTrue();
        assertThat(before).isPresent();
        assertThat(fixture.heartbeat(0)).isEqualTo(before);
    }

    @Test
    void trimsTheOutboxButKeepsAWindow() throws Exception {
        RelayFixture small = new RelayFixture(100);
        for (int i = 0; i < 1_200; i++) {
            small.put(i % 10, "a");
        }

        small.run();

        assertThat(small.stores().outbox().lowWaterMark()).isEqualTo(1_100);
    }
}
