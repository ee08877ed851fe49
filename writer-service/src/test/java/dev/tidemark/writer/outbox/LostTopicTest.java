package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.outbox.RelayState.Phase;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.CUSTOMERS;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

/** Topics that are gone, shorter than they were, or somebody else's. */
class LostTopicTest {
    private static final int RETAIN = 100;

    private final RelayFixture fixture = new RelayFixture(RETAIN);

    @Test
    void publishesTheWholeOutboxAgainWhereItHoldsEverything() throws Exception {
        fixture.put(1, "a");
        fixture.delete(1);
        fixture.put(2, "b");
        fixture.run();
        fixture.log.deleteTopic("customers");

        fixture.restart(0);
        missTheTopic();
        fixture.run();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
        assertThat(fixture.sequencesOf(2)).containsExactly(3L);
        assertThat(fixture.events()).noneMatch(LostTopicTest::isRead);
    }

    @Test
    void publishesTheFactTableAgainWhereTheOutboxWasTrimmed() throws Exception {
        writeSoMuchThatTheOutboxIsTrimmed();
        fixture.log.deleteTopic("customers");

        fixture.restart(0);
        missTheTopic();
        fixture.run();

        assertThat(fixture.events()).filteredOn(LostTopicTest::isRead).hasSize(10);
        for (int partition = 0; partition < TestTables.CUSTOMERS.partitions(); partition++) {
            int here = partition;
            assertThat(fixture.log.records("customers", partition))
                    .filteredOn(ChangeEvent.class::isInstance)
                    .allMatch(event -> TestTables.CUSTOMERS.partitionOf(((ChangeEvent) event).key()) == here);
        }
        assertThat(fixture.sequencesOf(3)).first().isEqualTo(1_194L);
        assertThat(fixture.events()).filteredOn(event -> !isRead(event)).hasSize(RETAIN);
    }

    @Test
    void saysNothingOfCompletenessBeforeAllIsPublishedAgain() throws Exception {
        writeSoMuchThatTheOutboxIsTrimmed();
        fixture.log.deleteTopic("customers");
        fixture.restart(0);
        missTheTopic();

        int heartbeatsOfOthers = fixture.log.records("movies", 0).size();
        fixture.clock.advance(RelayFixture.HEARTBEAT);
        while (fixture.held("customers").isPresent()) {
            fixture.step();
            assertThat(!fixture.log.hasTopic("customers")
                            || fixture.log.records("customers", 0).stream().noneMatch(Heartbeat.class::isInstance))
                    .isTrue();
        }
        assertThat(fixture.log.records("movies", 0))
                .as("other tables are told meanwhile")
                .hasSizeGreaterThan(heartbeatsOfOthers);
        fixture.run();

        assertThat(fixture.heartbeat(0)).map(Heartbeat::frontier).contains(version(1_200));
    }

    @Test
    void aTopicHasThePartitionsThatItsTableBeganWithByDefinitionsOfBeforeARestore() throws Exception {
        fixture.log.makeTopic("customers", 3);
        fixture.log.intrude("customers", 0, new Heartbeat(fixture.clock.instant(), version(1)));
        fixture.run();
        fixture.define(began(3));
        fixture.run();
        fixture.waitForRetry();
        fixture.run();
        assertThat(fixture.held("customers")).contains(TableHold.Kind.REFUSED);

        fixture.log.deleteTopic("customers");
        fixture.waitForRetry();
        fixture.run();
        for (int id = 0; id < 20; id++) {
            fixture.put(id, "t");
        }
        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.run();

        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.log.find(TestTables.CUSTOMERS).orElseThrow().endOffsets())
                .hasSize(3);
        for (int partition = 0; partition < 3; partition++) {
            int here = partition;
            assertThat(fixture.log.records("customers", partition)).hasAtLeastOneElementOfType(Heartbeat.class);
            assertThat(fixture.log.records("customers", partition))
                    .filteredOn(ChangeEvent.class::isInstance)
                    .isNotEmpty()
                    .allMatch(event -> ((ChangeEvent) event).key().partition(3) == here);
        }
    }

    @Test
    void aTopicWithMorePartitionsThanItsTableBeganWithByThoseDefinitionsStaysInUse() throws Exception {
        fixture.run();
        fixture.define(began(3));
        fixture.run();
        fixture.waitForRetry();
        fixture.run();
        int before = fixture.log.records("customers", 3).size();
        fixture.put(1, "t");
        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.run();

        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.heartbeat(2)).map(Heartbeat::frontier).contains(version(1));
        assertThat(fixture.log.records("customers", customerKey(1).partition(3)))
                .hasAtLeastOneElementOfType(ChangeEvent.class);
        assertThat(fixture.log.records("customers", 3)).hasSize(before);
    }

    @Test
    void beginsAgainWhenItEndedWhilePublishingAgain() throws Exception {
        writeSoMuchThatTheOutboxIsTrimmed();
        fixture.log.deleteTopic("customers");
        fixture.restart(0);
        missTheTopic();
        for (int i = 0; i < 10 && !fixture.held("customers").equals(Optional.of(TableHold.Kind.REPUBLISHING)); i++) {
            fixture.step();
        }
        fixture.step();
        assertThat(fixture.held("customers")).contains(TableHold.Kind.REPUBLISHING);

        fixture.restart(fixture.disk.unsynced());
        fixture.run();

        assertThat(fixture.phase()).isEqualTo(Phase.RUNNING);
        Map<KeyBytes, Long> newest = fixture.newestSequences();
        for (int id = 0; id < 10; id++) {
            assertThat(newest.get(customerKey(id))).isEqualTo(1_191L + id);
        }
    }

    @Test
    void aTopicIsWholeOnlyAfterTheLastPageOfItsTable() throws Exception {
        int rows = 2_500;
        for (int id = 0; id < rows; id++) {
            fixture.put(id, "t");
        }
        for (int i = 0; i < 10; i++) {
            fixture.run();
        }
        fixture.log.deleteTopic("customers");
        fixture.restart(0);
        missTheTopic();
        while (rowsRead() == 0) {
            fixture.step();
        }
        assertThat(rowsRead()).isLessThan(rows);

        fixture.restart(fixture.disk.unsynced());
        for (int i = 0; i < 10; i++) {
            fixture.run();
        }

        assertThat(fixture.held("customers")).isEmpty();
        Map<KeyBytes, Long> newest = fixture.newestSequences();
        for (int id = 0; id < rows; id++) {
            assertThat(newest.get(customerKey(id))).isEqualTo(id + 1L);
        }
    }

    private long rowsRead() {
        return fixture.log.hasTopic("customers")
                ? fixture.events().stream().filter(LostTopicTest::isRead).count()
                : 0;
    }

    @Test
    void makesATopicAnewOnlyOnceWorkersHaveNoticedThatItIsGone() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        fixture.log.deleteTopic("customers");
        fixture.restart(0);

        fixture.run();

        assertThat(fixture.held("customers")).contains(TableHold.Kind.WAITING);
        assertThat(fixture.log.hasTopic("customers")).isFalse();
        fixture.waitForRetry();
        fixture.run();
        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L);
    }

    @Test
    void noticesThatATopicHasLostItsNewestRecords() throws Exception {
        fixture.put(1, "a");
        fixture.put(1, "b");
        fixture.run();
        int partition = partitionOf(1);
        fixture.log.truncate(
                "customers",
                partition,
                fixture.log.records("customers", partition).size() - 1);

        fixture.restart(0);
        fixture.run();

        assertThat(fixture.sequencesOf(1)).contains(1L).endsWith(2L);
    }

    @Test
    void noticesALossThatWhatComesNextMakesUpForInNumber() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        fixture.put(1, "lost");
        fixture.put(1, "lost too");
        fixture.step();
        truncate(2);

        for (int i = 0; i < 5; i++) {
            fixture.put(1, "later" + i);
        }
        fixture.step();

        assertThat(fixture.status.held().get("customers"))
                .extracting(TableHold::reason)
                .asString()
                .contains("topic tidemark.changes.customers has lost records");
        assertThat(fixture.held("movies")).isEmpty();
        fixture.run();
        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.sequencesOf(1)).contains(2L, 3L).endsWith(8L);
    }

    @Test
    void doesNotForgetALossThatIsMadeUpForInNumberBeforeTheNextLook() throws Exception {
        fixture.put(1, "a");
        fixture.put(1, "lost");
        fixture.put(1, "lost too");
        fixture.run();
        // And two heartbeats.
        truncate(4);
        fixture.clock.advance(TopicReconciler.SURE_AFTER);
        fixture.log.setSilent(true);
        fixture.step();
        fixture.step();
        assertThat(fixture.held("customers")).contains(TableHold.Kind.WAITING);

        fixture.log.intrude(
                "customers", RelayFixture.partitionOf(1), new Heartbeat(fixture.clock.instant(), new RowVersion(1, 3)));
        fixture.log.setSilent(false);
        fixture.run();

        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.sequencesOf(1)).contains(2L).endsWith(3L);
    }

    @Test
    void noticesALossUnderRecordsThatWereNeverAcknowledged() throws Exception {
        fixture.run();
        fixture.put(1, "lost");
        fixture.put(1, "lost too");
        fixture.step();
        truncate(2);
        for (int i = 0; i < 5; i++) {
            fixture.put(1, "later" + i);
        }
        fixture.log.failAfter(4);

        fixture.step();
        assertThat(fixture.sequencesOf(1)).containsExactly(3L, 4L, 5L, 6L);
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.sequencesOf(1)).contains(1L, 2L).endsWith(7L);
    }

    @Test
    void noticesAfterARestartALossUnderRecordsThatWereNeverAcknowledged() throws Exception {
        fixture.run();
        fixture.put(1, "lost");
        fixture.put(1, "lost too");
        fixture.step();
        truncate(2);
        for (int i = 0; i < 5; i++) {
            fixture.put(1, "later" + i);
        }
        fixture.log.failAfter(4);
        fixture.step();

        fixture.restart(0);
        fixture.run();

        assertThat(fixture.sequencesOf(1)).contains(1L, 2L).endsWith(7L);
    }

    @Test
    void noticesALossUnderRecordsOfWhichCompactionRemovedTheFirst() throws Exception {
        long superseded = nextInPartitionOf(1);
        fixture.run();
        fixture.put(1, "lost");
        fixture.put(1, "lost too");
        fixture.step();
        truncate(2);
        fixture.put(superseded, "in the place of the first that was lost");
        fixture.put(superseded, "in the place of the second");
        fixture.put(nextInPartitionOf(superseded), "behind them");
        fixture.put(1, "not taken");
        fixture.log.failAfter(3);
        fixture.step();

        fixture.log.forget("customers", customerKey(superseded));
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.sequencesOf(1)).contains(1L, 2L);
    }

    @Test
    void publishesNothingAgainWhereCompactionRemovedWhatWasAcknowledgedLast() throws Exception {
        long other = nextInPartitionOf(1);
        fixture.run();
        fixture.put(1, "once");
        fixture.put(other, "removed");
        fixture.step();
        fixture.put(1, "taken");
        fixture.put(1, "not taken");
        fixture.log.failAfter(1);
        fixture.step();

        fixture.log.forget("customers", customerKey(other));
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 3L, 3L, 4L);
    }

    private static long nextInPartitionOf(long id) {
        return LongStream.iterate(id + 1, next -> next + 1)
                .filter(next -> RelayFixture.partitionOf(next) == RelayFixture.partitionOf(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void publishesNothingAgainWhereOnlyHeartbeatsAreLost() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.step();
        truncate(1);

        fixture.put(1, "b");
        fixture.put(1, "c");
        fixture.step();
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.sequencesOf(1)).first().isEqualTo(1L);
        assertThat(fixture.sequencesOf(1)).filteredOn(sequence -> sequence == 1).hasSize(1);
        assertThat(fixture.sequencesOf(1)).endsWith(3L);
    }

    @Test
    void noticesThatALateRecordStandsWhereALostChangeWas() throws Exception {
        fixture.run();
        fixture.put(1, "late");
        fixture.log.failAfter(0);
        fixture.step();
        fixture.waitForRetry();
        fixture.run();
        fixture.put(1, "lost");
        fixture.run();
        int beforeHeartbeats = fixture.log.records("customers", partitionOf(1)).size();
        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.step();
        truncate(fixture.log.records("customers", partitionOf(1)).size() - beforeHeartbeats + 1);
        fixture.log.comeLate();

        fixture.put(1, "next");
        fixture.step();
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.sequencesOf(1)).startsWith(1L, 1L).contains(2L).endsWith(3L);
    }

    @Test
    void saysOfEachRecordWhereItExpectsIt() throws Exception {
        fixture.put(1, "a");
        fixture.put(1, "b");
        fixture.run();
        truncate(fixture.log.records("customers", partitionOf(1)).size());
        fixture.put(1, "c");
        fixture.step();

        assertThat(fixture.log.published())
                .filteredOn(publication -> publication.message() instanceof ChangeEvent)
                .extracting(publication -> publication.expectation().offset())
                .startsWith(0L, 1L)
                .last()
                .asInstanceOf(InstanceOfAssertFactories.LONG)
                .isGreaterThan(1);
    }

    @Test
    void noticesThatWhatItPublishedAgainIsLostAgain() throws Exception {
        fixture.put(1, "a");
        fixture.put(1, "b");
        fixture.run();

        for (int loss = 0; loss < 2; loss++) {
            int partition = partitionOf(1);
            int records = fixture.log.records("customers", partition).size();
            fixture.log.truncate("customers", partition, records - 1);
            fixture.restart(0);
            fixture.run();
            assertThat(fixture.sequencesOf(1)).endsWith(2L);
        }
    }

    @Test
    void noticesWhileItRunsThatATopicWasMadeAnew() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        fixture.log.deleteTopic("customers");
        fixture.log.makeTopic("customers", 4);
        fixture.clock.advance(RelayFixture.HEARTBEAT);

        fixture.step();
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.sequencesOf(1)).as("workers must notice first").isEmpty();
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L);
        assertThat(fixture.phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void makesATopicAnewThatHasLostItsOldestRecords() throws Exception {
        fixture.put(1, "a");
        fixture.put(2, "b");
        fixture.run();
        fixture.log.curtail("customers", 1);
        fixture.clock.advance(Duration.ofSeconds(15));
        fixture.run();
        assertThat(fixture.log.hasTopic("customers"))
                .as("one look alone is not believed")
                .isTrue();

        fixture.clock.advance(Duration.ofSeconds(15));
        fixture.run();

        assertThat(fixture.log.hasTopic("customers")).isFalse();
        assertThat(fixture.held("customers")).contains(TableHold.Kind.WAITING);
        fixture.waitForRetry();
        fixture.run();
        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L);
        assertThat(fixture.sequencesOf(2)).containsExactly(2L);
    }

    @Test
    void goesOnWithATopicThatHasLostItsOldestRecordsWhereItMayNotDeleteIt() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        fixture.log.allowDeletes(false);
        fixture.log.curtail("customers", 1);

        fixture.restart(0);
        fixture.put(1, "b");
        fixture.run();

        assertThat(fixture.phase()).isEqualTo(Phase.RUNNING);
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
        fixture.clock.advance(Duration.ofSeconds(15));
        fixture.run();
        assertThat(fixture.log.hasTopic("customers")).isTrue();
        fixture.log.allowDeletes(true);
        fixture.clock.advance(Duration.ofSeconds(15));
        fixture.run();
        assertThat(fixture.log.hasTopic("customers")).as("once it may, it does").isFalse();
    }

    @Test
    void refusesATopicThatSomebodyElseWroteTo() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        RelayFixture other = new RelayFixture();
        other.log.makeTopic("customers", 4);
        other.log.publish(List.of(new Publication(
                "customers", 0, new ChangeEvent.Deleted(customerKey(1), version(1), fixture.clock.instant()))));

        other.run();

        assertThat(other.status.refusal()).isEmpty();
        assertThat(other.status.refusal("movies")).isEmpty();
        assertThat(other.status.refusal("customers"))
                .hasValueSatisfying(text -> assertThat(text)
                        .contains("topic tidemark.changes.customers cannot be used")
                        .contains("never written to it"));
    }

    @Test
    void refusesAnotherNumberOfPartitions() throws Exception {
        fixture.log.makeTopic("customers", 2);

        fixture.run();

        assertThat(fixture.status.refusal("customers"))
                .hasValueSatisfying(
                        text -> assertThat(text).contains("it has 2 partitions, but table customers has 4"));
    }

    @Test
    void makesAnewATopicInThePlaceOfItsOwnThatHoldsOnlyWhatItSent() throws Exception {
        fixture.put(1, "a");
        fixture.put(2, "b");
        fixture.run();
        ChangeEvent own = fixture.events().get(0);
        fixture.log.deleteTopic("customers");
        fixture.log.makeTopic("customers", 1);
        fixture.log.intrude("customers", 0, own);

        fixture.restart(0);
        for (int i = 0; i < 3; i++) {
            fixture.run();
            fixture.waitForRetry();
        }

        assertThat(fixture.status.refusal("customers")).isEmpty();
        assertThat(fixture.events()).hasSize(2);
        assertThat(fixture.log.records("customers", 3)).isNotNull();
    }

    @Test
    void refusesOneInThePlaceOfItsOwnThatHoldsMore() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        fixture.log.deleteTopic("customers");
        fixture.log.makeTopic("customers", 1);
        fixture.log.intrudeGarbage("customers", 0, customerKey(1));

        fixture.restart(0);
        fixture.run();

        assertThat(fixture.status.refusal("customers"))
                .hasValueSatisfying(text -> assertThat(text).contains("not the topic that this writer made"));
        assertThat(fixture.log.records("customers", 0)).hasSize(1);
    }

    @Test
    void refusesATopicWhoseSettingsLoseRows() throws Exception {
        fixture.log.object("customers", "its cleanup.policy is delete");

        fixture.run();
        assertThat(fixture.status.refusal("customers")).isPresent();

        fixture.log.object("customers", "");
        fixture.waitForRetry();
        fixture.run();
        assertThat(fixture.status.refusal("customers")).isEmpty();
    }

    @Test
    void goesOnWithTheRecordedPartitionsWhenSomebodyAddsSome() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        fixture.log.addPartition("customers");

        fixture.restart(0);
        fixture.put(1, "b");
        fixture.run();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
        assertThat(fixture.log.records("customers", 4)).isEmpty();
    }

    private void writeSoMuchThatTheOutboxIsTrimmed() throws Exception {
        for (int i = 0; i < 1_200; i++) {
            fixture.put(i % 10, "town" + i);
        }
        fixture.run();
        assertThat(fixture.stores().outbox().lowWaterMark()).isEqualTo(1_100);
    }

    private void truncate(int records) {
        fixture.log.truncate("customers", partitionOf(1), records);
    }

    private static int partitionOf(long id) {
        return CUSTOMERS.partitionOf(customerKey(id));
    }

    private static boolean isRead(ChangeEvent event) {
        return event instanceof ChangeEvent.Upserted upserted && upserted.operation() == UpsertKind.READ;
    }

    /** The relay misses a topic, and waits until it may make it anew. */
    private void missTheTopic() throws InterruptedException {
        for (int i = 0; i < 10 && fixture.held("customers").isEmpty(); i++) {
            fixture.step();
        }
        assertThat(fixture.held("customers")).contains(TableHold.Kind.WAITING);
        fixture.waitForRetry();
    }

    /** Later definitions than the first ones, in which customers began with other partitions than the file has. */
    private Definitions began(int partitions) {
        Catalog first = new Catalog(List.of(TestTables.CUSTOMERS.with(partitions), TestTables.MOVIES));
        return Definitions.first(first, fixture.clock.instant()).changed(TestTables.CATALOG, fixture.clock.instant());
    }
}
