package dev.tidemark.writer.outbox;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.outbox.EventPublisher.Shard;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Records that stand in a topic and were not acknowledged in their order: in the end the topic is a copy of its table
 * again.
 */
@Execution(ExecutionMode.CONCURRENT)
class StrayRecordsTest {
    private final RelayFixture fixture = new RelayFixture();

    @Test
    void aRecordThatArrivesAfterNewerOnesIsPublishedOver() throws Exception {
        fixture.run();
        fixture.put(1, "old");
        fixture.log.failAfter(0);
        fixture.step();
        fixture.waitForRetry();
        fixture.run();
        fixture.put(1, "new");
        fixture.run();
        fixture.log.comeLate();
        assertThat(last(1))
                .hasValueSatisfying(
                        event -> assertThat(event.version().sequence()).isEqualTo(1));

        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.settle();

        assertThat(last(1)).hasValueSatisfying(event -> {
            assertThat(event.version().sequence()).isGreaterThan(2);
            assertThat(((ChangeEvent.Upserted) event).row()).isEqualTo(customer(1, "new"));
        });
    }

    @Test
    void soAreManyThatArriveAtOnce() throws Exception {
        fixture.run();
        for (int id = 0; id < 40; id++) {
            fixture.put(id, "old");
        }
        fixture.log.failAfter(0);
        fixture.step();
        fixture.waitForRetry();
        fixture.run();
        for (int id = 0; id < 40; id++) {
            fixture.put(id, "new");
        }
        fixture.run();
        fixture.log.comeLate();

        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.settle();

        for (int id = 0; id < 40; id++) {
            int row = id;
            assertThat(last(id))
                    .hasValueSatisfying(event ->
                            assertThat(((ChangeEvent.Upserted) event).row()).isEqualTo(customer(row, "new")));
        }
    }

    @Test
    void soIsOneThatArrivesAfterItsRowWasDeleted() throws Exception {
        fixture.run();
        fixture.put(1, "old");
        fixture.log.failAfter(0);
        fixture.step();
        fixture.waitForRetry();
        fixture.run();
        fixture.delete(1);
        fixture.run();
        fixture.log.comeLate();

        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.settle();

        assertThat(last(1)).get().isInstanceOf(ChangeEvent.Deleted.class);
    }

    @Test
    void soIsAnOlderDeleteThatArrivesAfterALaterOne() throws Exception {
        fixture.run();
        fixture.put(1, "a");
        fixture.run();
        fixture.delete(1);
        fixture.log.failAfter(0);
        fixture.step();
        fixture.waitForRetry();
        fixture.run();
        fixture.put(1, "b");
        fixture.delete(1);
        fixture.run();
        fixture.log.comeLate();
        assertThat(last(1))
                .hasValueSatisfying(
                        event -> assertThat(event.version().sequence()).isEqualTo(2));

        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.settle();

        assertThat(last(1)).hasValueSatisfying(event -> {
            assertThat(event).isInstanceOf(ChangeEvent.Deleted.class);
            assertThat(event.version().sequence()).isGreaterThan(4);
        });
    }

    @Test
    void soIsOneThatArrivedWhileThisProcessWasNotThere() throws Exception {
        fixture.run();
        fixture.put(1, "old");
        fixture.log.failAfter(0);
        fixture.step();
        fixture.waitForRetry();
        fixture.run();
        fixture.put(1, "new");
        fixture.run();
        fixture.log.comeLate();

        fixture.restart(0);
        fixture.settle();

        assertThat(last(1))
                .hasValueSatisfying(event ->
                        assertThat(((ChangeEvent.Upserted) event).row()).isEqualTo(customer(1, "new")));
    }

    @Test
    void untilItIsPublishedOverNothingIsProvenEvenAfterARestart() throws Exception {
        fixture.run();
        fixture.put(1, "old");
        fixture.log.failAfter(0);
        fixture.step();
        fixture.waitForRetry();
        fixture.run();
        fixture.put(1, "new");
        fixture.run();
        fixture.log.comeLate();
        // So that no partition ends with what would be looked at again.
        for (int partition = 0; partition < TestTables.CUSTOMERS.partitions(); partition++) {
            fixture.put(anotherIn(partition), "behind it");
        }
        while (fixture.stores().facts().lastCommit().version().sequence() < 7) {
            fixture.step();
            fixture.idle();
        }
        fixture.log.failAfter(0);
        fixture.step();
        fixture.restart(0);
        int before = fixture.log.sent();
        fixture.waitForRetry();
        fixture.run();

        List<Publication> after = fixture.log.published().stream()
                .skip(before)
                .filter(one -> one.shard().equals(new Shard("customers", RelayFixture.partitionOf(1))))
                .toList();
        assertThat(after).first().satisfies(one -> {
            assertThat(((ChangeEvent) one.message()).version().sequence()).isEqualTo(7);
            assertThat(one.expectation().offset()).isEqualTo(ExpectedPosition.UNKNOWN);
        });
        assertThat(after)
                .last()
                .satisfies(one -> assertThat(one.expectation().offset()).isNotEqualTo(ExpectedPosition.UNKNOWN));
    }

    @Test
    void whatSomebodyElseWroteOverARowIsPublishedOver() throws Exception {
        fixture.run();
        fixture.put(1, "ours");
        fixture.run();
        int partition = RelayFixture.partitionOf(1);
        fixture.log.intrude(
                "customers",
                partition,
                new ChangeEvent.Upserted(
                        customerKey(1),
                        new RowVersion(1, 99_999),
                        fixture.clock.instant(),
                        UpsertKind.UPDATE,
                        customer(1, "forged")));
        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.settle();
        assertThat(((ChangeEvent.Upserted) last(1).orElseThrow()).row()).isEqualTo(customer(1, "ours"));

        int before = fixture.sequencesOf(1).size();
        fixture.log.intrudeGarbage("customers", partition, customerKey(1));
        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.settle();
        assertThat(fixture.sequencesOf(1)).hasSizeGreaterThan(before);
    }

    @Test
    void recordsThatChangesSentAfterwardsStandBehindChangeNothing() throws Exception {
        fixture.run();
        fixture.put(1, "a");
        fixture.put(1, "b");
        fixture.put(1, "c");
        fixture.log.failAfter(2);
        fixture.step();
        fixture.waitForRetry();
        fixture.run();
        fixture.settle();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L, 1L, 2L, 3L);
        assertThat(fixture.stores().facts().lastCommit().version().sequence())
                .as("clients still have the version that they were given")
                .isEqualTo(3);
    }

    @Test
    void recordsThatAreTheNewestOfTheirRowsChangeNothing() throws Exception {
        fixture.run();
        fixture.put(1, "a");
        fixture.log.failAfter(0);
        fixture.step();
        fixture.waitForRetry();
        fixture.run();
        fixture.log.comeLate();
        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.settle();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 1L);
        assertThat(fixture.stores().facts().lastCommit().version().sequence()).isEqualTo(1);
    }

    @Test
    void aLateDeleteThatIsTheNewestOfItsRowChangesNothing() throws Exception {
        fixture.run();
        fixture.put(1, "a");
        fixture.run();
        fixture.delete(1);
        fixture.log.failAfter(0);
        fixture.step();
        fixture.waitForRetry();
        fixture.run();
        fixture.log.comeLate();

        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.settle();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L, 2L);
        assertThat(lastSequence()).isEqualTo(2);
    }

    @Test
    void nobodyIsToldThatTheTopicIsCompleteBeforeTheRowIsPublishedOver() throws Exception {
        fixture.run();
        fixture.put(1, "old");
        fixture.log.failAfter(0);
        fixture.step();
        fixture.waitForRetry();
        fixture.run();
        fixture.put(1, "new");
        fixture.run();
        fixture.log.comeLate();
        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.step();
        fixture.log.setSilent(true);
        long before = heartbeats();
        for (int i = 0; i < 10; i++) {
            fixture.idle();
            fixture.clock.advance(RelayFixture.HEARTBEAT);
            fixture.step();
        }
        assertThat(fixture.sequencesOf(1)).as("it is under way").endsWith(3L);
        assertThat(heartbeats()).isEqualTo(before);

        fixture.log.setSilent(false);
        fixture.settle();
        assertThat(heartbeats()).isGreaterThan(before);
    }

    @Test
    void aRowThatOnlyATopicMadeByAnotherHoldsIsDeletedInIt() throws Exception {
        makeTheTopicAnewWith(new ChangeEvent.Upserted(
                customerKey(7), TestTables.version(1), fixture.clock.instant(), UpsertKind.CREATE, customer(7, "?")));

        assertThat(last(7)).get().isInstanceOf(ChangeEvent.Deleted.class);
        assertThat(last(1))
                .hasValueSatisfying(event ->
                        assertThat(((ChangeEvent.Upserted) event).row()).isEqualTo(customer(1, "there")));
    }

    @Test
    void aDeleteInSuchATopicChangesNothingBecauseLaterOnesArePublishedAgain() throws Exception {
        makeTheTopicAnewWith(new ChangeEvent.Deleted(customerKey(2), TestTables.version(3), fixture.clock.instant()));

        assertThat(fixture.sequencesOf(2)).startsWith(3L).endsWith(5L);
        assertThat(lastSequence()).isEqualTo(5);
    }

    @Test
    void itIsFoundAgainWhereReadingItFails() throws Exception {
        putANewRowBeforeALateRecord();
        fixture.log.failReadAfter(0);
        fixture.step();
        assertThat(fixture.phase()).isEqualTo(RelayState.Phase.WAITING);
        assertThat(fixture.log.isReading()).isFalse();

        fixture.settle();

        assertThat(last(1)).hasValueSatisfying(event -> {
            assertThat(event.version().sequence()).isEqualTo(3);
            assertThat(((ChangeEvent.Upserted) event).row()).isEqualTo(customer(1, "new"));
        });
        assertThat(fixture.log.isReading()).isFalse();
    }

    @Test
    void soItIsWhereAnotherTopicFailsBeforeItsOwnIsLookedAtAgain() throws Exception {
        putANewRowBeforeALateRecord();
        fixture.log.failReadAfter(0);
        fixture.step();
        fixture.log.hide("customers", true);
        fixture.waitForRetry();
        fixture.run();
        fixture.putMovie("Alien");
        fixture.log.failAfter(0);
        fixture.step();
        assertThat(fixture.phase()).isEqualTo(RelayState.Phase.WAITING);
        fixture.log.hide("customers", false);

        fixture.settle();

        assertThat(last(1))
                .hasValueSatisfying(event ->
                        assertThat(((ChangeEvent.Upserted) event).row()).isEqualTo(customer(1, "new")));
    }

    @Test
    void soItIsWhereItsRowCannotBeCommittedAtFirst() throws Exception {
        putANewRowBeforeALateRecord();
        fixture.step();
        fixture.disk.failNextWrite(new IllegalStateException("disk full"));
        fixture.idle();
        fixture.step();
        assertThat(fixture.phase()).isEqualTo(RelayState.Phase.WAITING);

        fixture.settle();

        assertThat(last(1))
                .hasValueSatisfying(
                        event -> assertThat(event.version().sequence()).isGreaterThan(2));
    }

    @Test
    void itIsForgottenWithTheTopicThatHeldIt() throws Exception {
        putANewRowBeforeALateRecord();
        fixture.log.failReadAfter(0);
        fixture.step();
        fixture.log.deleteTopic("customers");

        fixture.settle();
        fixture.settle();

        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
    }

    /** The relay knows of a late record, and has not read it. */
    private void putANewRowBeforeALateRecord() throws Exception {
        fixture.run();
        fixture.put(1, "old");
        fixture.log.failAfter(0);
        fixture.step();
        fixture.waitForRetry();
        fixture.run();
        fixture.put(1, "new");
        fixture.run();
        fixture.log.comeLate();
        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.step();
    }

    /** One row that is there, another that was deleted twice; then the topic is another one, which holds a record. */
    private void makeTheTopicAnewWith(ChangeEvent event) throws Exception {
        fixture.put(1, "there");
        fixture.put(2, "a");
        fixture.delete(2);
        fixture.put(2, "b");
        fixture.delete(2);
        fixture.run();
        fixture.log.deleteTopic("customers");
        fixture.log.makeTopic("customers", TestTables.CUSTOMERS.partitions());
        fixture.log.intrude("customers", TestTables.CUSTOMERS.partitionOf(event.key()), event);
        fixture.restart(0);
        for (int i = 0; i < 3; i++) {
            fixture.settle();
        }
    }

    private long lastSequence() {
        return fixture.stores().facts().lastCommit().version().sequence();
    }

    private long heartbeats() {
        return fixture.log.records("customers", RelayFixture.partitionOf(1)).stream()
                .filter(Heartbeat.class::isInstance)
                .count();
    }

    /** Another row than the first. */
    private static long anotherIn(int partition) {
        return LongStream.iterate(2, id -> id + 1)
                .filter(id -> RelayFixture.partitionOf(id) == partition)
                .findFirst()
                .orElseThrow();
    }

    private Optional<ChangeEvent> last(long id) {
        return fixture.events().stream()
                .filter(event -> event.key().equals(customerKey(id)))
                .reduce((one, other) -> other);
    }
}
