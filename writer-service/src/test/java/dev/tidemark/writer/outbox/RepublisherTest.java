package dev.tidemark.writer.outbox;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static org.assertj.core.api.Assertions.assertThat;

/** Topics that are filled again, and what happens to them meanwhile. */
class RepublisherTest {
    private static final int RETAIN = 100;

    /** More than one piece has. */
    private static final int MANY = 1_100;

    private final RelayFixture fixture = new RelayFixture(RETAIN);

    @Test
    void aTableThatIsRefusedMeanwhileDoesNotKeepTheNextOneFromBeingPublishedWhole() throws Exception {
        RelayFixture whole = new RelayFixture();
        whole.putMovie("first");
        for (int i = 0; i < MANY; i++) {
            whole.put(i % 10, "town" + i);
        }
        loseBothTopics(whole);
        stepUntil(whole, () -> whole.log.hasTopic("customers") && changes(whole) > 0);
        assertThat(changes(whole)).isLessThan(MANY);
        whole.log.refuseRecords("customers", true);
        whole.run();

        assertThat(whole.held("customers")).contains(TableHold.Kind.REFUSED);
        assertThat(whole.held("movies")).isEmpty();
        assertThat(whole.movies()).containsExactly(1L);

        whole.log.refuseRecords("customers", false);
        whole.clock.advance(TopicReconciler.SURE_AFTER);
        whole.run();
        assertThat(whole.held("customers")).isEmpty();
        assertThat(whole.events().stream()
                        .map(event -> event.version().sequence())
                        .distinct())
                .hasSize(MANY);
    }

    @Test
    void othersAreToldHowCompleteTheyAreWhileTheLastPieceIsUnderWay() throws Exception {
        fixture.putMovie("one");
        fixture.put(1, "a");
        fixture.run();
        loseTopic("movies");
        fillUntilTheLastPieceIsUnderWay("movies");
        int before = heartbeats("customers");

        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.step();

        assertThat(fixture.movies()).containsExactly(1L);
        assertThat(heartbeats("movies")).isZero();
        assertThat(heartbeats("customers")).isGreaterThan(before);
        fixture.log.setSilent(false);
        fixture.put(1, "b");
        fixture.step();
        fixture.step();
        assertThat(heartbeats("movies"))
                .as("at once, and not with the next of all")
                .isPositive();
    }

    @Test
    void aTopicWhoseFirstPieceFailedIsPublishedOnceMore() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        loseTopic("customers");
        stepUntil(fixture, () -> reason("customers").contains("is being made"));
        fixture.log.failAfter(0);
        stepUntil(fixture, () -> fixture.phase() == RelayState.Phase.WAITING);
        assertThat(fixture.sequencesOf(1)).isEmpty();

        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L);
    }

    @Test
    void aTopicWhoseLastPieceFailedIsPublishedOnceMore() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        loseTopic("customers");
        fillUntilTheLastPieceIsUnderWay("customers");
        fixture.log.failUnderWay();
        empty("customers");

        fixture.step();
        assertThat(fixture.phase()).isEqualTo(RelayState.Phase.WAITING);
        fixture.log.setSilent(false);
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L);
    }

    @Test
    void aTableThatIsHeldBeforeItsLastPieceIsAcknowledgedIsPublishedOnceMore() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        loseTopic("customers");
        fillUntilTheLastPieceIsUnderWay("customers");
        fixture.log.object("customers", "its cleanup.policy is delete");
        fixture.clock.advance(TopicReconciler.SURE_AFTER);
        fixture.step();
        fixture.step();
        assertThat(fixture.held("customers")).contains(TableHold.Kind.REFUSED);
        fixture.log.setSilent(false);
        fixture.run();
        assertThat(fixture.held("customers")).contains(TableHold.Kind.REFUSED);

        empty("customers");
        fixture.log.object("customers", "");
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L);
    }

    /** A process of before may have ended between the two writes of its first trim. */
    @Test
    void anOutboxThatLacksItsFirstChangesIsNotTakenForAllThatATopicNeeds() throws Exception {
        fixture.put(1, "a");
        fixture.put(2, "b");
        fixture.run();
        fixture.disk.damageOutbox(1);
        loseTopic("customers");

        fixture.run();

        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.newestSequences()).containsEntry(customerKey(1), 1L).containsEntry(customerKey(2), 2L);
    }

    @Test
    void theOutboxKeepsWhatIsCommittedWhileRowsArePublishedAgain() throws Exception {
        int rows = 2_500;
        for (int id = 0; id < rows; id++) {
            fixture.put(id, "t");
        }
        runForLong();
        loseTopic("customers");
        stepUntil(fixture, () -> fixture.log.hasTopic("customers") && changes(fixture) > 0);
        fixture.put(0, "changed behind the place that was come to");
        for (int i = 0; i < MANY; i++) {
            fixture.putMovie("m" + i % 10);
        }

        runForLong();

        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.newestSequences()).hasSize(rows).containsEntry(customerKey(0), rows + 1L);
        fixture.putMovie("next");
        runForLong();
        assertThat(fixture.stores().outbox().lowWaterMark())
                .as("it is trimmed once they are")
                .isGreaterThan(rows);
    }

    @Test
    void theOutboxIsTrimmedAgainWhereATableLeavesTheCatalogWhileItIsPublishedAgain() throws Exception {
        fixture.putMovie("one");
        fixture.run();
        loseTopic("movies");
        fixture.log.setSilent(true);
        stepUntil(fixture, () -> fixture.held("movies").isEmpty());
        fixture.log.failUnderWay();
        fixture.step();
        fixture.left.add("movies");
        fixture.log.setSilent(false);
        fixture.waitForRetry();
        for (int i = 0; i < MANY; i++) {
            fixture.put(i % 10, "town" + i);
        }

        fixture.run();

        assertThat(fixture.stores().outbox().lowWaterMark()).isGreaterThan(RETAIN);
    }

    @Test
    void theRelayWaitsWhereTheDiskIsFullWhileTheOutboxKeepsChangesForATopic() throws Exception {
        int rows = 2_500;
        for (int id = 0; id < rows; id++) {
            fixture.put(id, "t");
        }
        runForLong();
        loseTopic("customers");
        stepUntil(fixture, () -> fixture.log.hasTopic("customers") && changes(fixture) > 0);
        for (int i = 0; i < MANY; i++) {
            fixture.putMovie("m" + i % 10);
        }
        fixture.step();
        assertThat(fixture.movies()).isNotEmpty();
        assertThat(isRepublished("customers")).isTrue();

        fixture.disk.setFull(true);
        fixture.run();
        assertThat(fixture.phase()).isEqualTo(RelayState.Phase.WAITING);

        fixture.disk.setFull(false);
        fixture.waitForRetry();
        runForLong();
        assertThat(fixture.held("customers")).isEmpty();
        fixture.putMovie("next");
        runForLong();
        assertThat(fixture.stores().outbox().lowWaterMark()).isGreaterThan(rows);
    }

    @Test
    void onlyDeletesOfRowsThatAreGoneArePublishedAgain() throws Exception {
        fixture.put(1, "a");
        fixture.delete(1);
        fixture.put(1, "there again");
        fixture.put(2, "b");
        fixture.delete(2);
        fixture.put(2, "b");
        fixture.delete(2);
        writeMoviesUntilTheOutboxIsTrimmed();
        loseTopic("customers");

        fixture.run();

        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.sequencesOf(1)).containsExactly(3L);
        assertThat(fixture.sequencesOf(2)).containsExactly(7L);
    }

    /** The topic holds the old row until the insert, so no change up to there may prove it complete. */
    @Test
    void changesProveNothingWhileARowThatIsInsertedAgainLacksItsOldDelete() throws Exception {
        fixture.put(2, "stays");
        fixture.put(1, "old");
        fixture.delete(1);
        writeMoviesUntilTheOutboxIsTrimmed();
        loseFrom("customers", RelayFixture.partitionOf(1), 3);
        assertThat(fixture.sequencesOf(1)).containsExactly(2L);
        fixture.restart(0);
        stepUntil(fixture, () -> fixture.sequencesOf(2).size() > 1);

        fixture.put(1, "new");
        fixture.run();

        assertThat(fixture.held("customers")).isEmpty();
        long insert = fixture.stores().facts().lastCommit().version().sequence();
        assertThat(fixture.sequencesOf(1)).startsWith(2L).doesNotContain(3L).contains(insert);
        assertThat(fixture.log.published())
                .filteredOn(sent -> sent.message() instanceof ChangeEvent change
                        && change.version().sequence() == insert)
                .first()
                .matches(sent -> sent.expectation().offset() == ExpectedPosition.UNKNOWN);
    }

    /** Behind the row, the delete would have compaction remove it. */
    @Test
    void theOldDeleteOfARowThatChangesWhileItIsPublishedAgainIsLeftOut() throws Exception {
        fixture.put(2, "stays");
        fixture.put(1, "old");
        fixture.delete(1);
        fixture.put(1, "there again");
        writeMoviesUntilTheOutboxIsTrimmed();
        loseTopic("customers");
        stepUntil(
                fixture,
                () -> fixture.log.hasTopic("customers")
                        && fixture.sequencesOf(2).size() == 1);

        fixture.put(1, "changed");
        fixture.run();

        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.sequencesOf(1)).startsWith(4L).doesNotContain(3L);
    }

    @Test
    void nobodyIsToldThatATopicIsCompleteBeforeItsDeletesAreAcknowledged() throws Exception {
        fixture.put(1, "a");
        fixture.delete(1);
        writeMoviesUntilTheOutboxIsTrimmed();
        loseTopic("customers");
        stepUntil(fixture, () -> isRepublished("customers"));
        fixture.log.setSilent(true);
        for (int i = 0; i < 10; i++) {
            fixture.clock.advance(RelayFixture.HEARTBEAT);
            fixture.step();
        }
        assertThat(fixture.sequencesOf(1)).containsExactly(2L);
        assertThat(heartbeats("customers")).isZero();

        fixture.log.setSilent(false);
        fixture.putMovie("next");
        fixture.run();
        assertThat(heartbeats("customers")).isPositive();
    }

    @Test
    void noStepPublishesSoManyDeletesThatOthersWaitForLong() throws Exception {
        int rows = 300;
        for (int id = 1; id <= rows; id++) {
            fixture.put(id, "a");
            fixture.delete(id);
        }
        writeMoviesUntilTheOutboxIsTrimmed();
        loseTopic("customers");
        stepUntil(fixture, () -> isRepublished("customers"));

        int most = 0;
        for (int i = 0; i < rows && isRepublished("customers"); i++) {
            int before = changes(fixture);
            fixture.step();
            most = Math.max(most, changes(fixture) - before);
        }

        assertThat(most).isBetween(1, 250);
        assertThat(fixture.events()).hasSize(rows).allMatch(ChangeEvent.Deleted.class::isInstance);
    }

    /** Otherwise the topic ends with a row that the fact table does not have. */
    @Test
    void aDeleteThatRecoverySupersedesIsPublishedBehindItsRow() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        fixture.delete(1);
        InMemoryDisk copy = fixture.disk.copy();
        fixture.putMovie("lost");
        fixture.run();
        empty("customers");

        fixture.putBack(copy);
        fixture.settle();

        assertThat(fixture.stores().facts().lastCommit().version().epoch()).isEqualTo(2);
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
        assertThat(fixture.held("customers")).isEmpty();
    }

    /** The topic is gone for so long that workers have noticed. */
    private void loseTopic(String table) throws InterruptedException {
        fixture.log.deleteTopic(table);
        fixture.restart(0);
        for (int i = 0; i < 10 && fixture.held(table).isEmpty(); i++) {
            fixture.step();
        }
        assertThat(fixture.held(table)).contains(TableHold.Kind.WAITING);
        fixture.waitForRetry();
    }

    private static void loseBothTopics(RelayFixture fixture) throws InterruptedException {
        fixture.run();
        fixture.log.deleteTopic("customers");
        fixture.log.deleteTopic("movies");
        fixture.restart(0);
        fixture.run();
        fixture.waitForRetry();
    }

    private void fillUntilTheLastPieceIsUnderWay(String table) throws InterruptedException {
        fixture.log.setSilent(true);
        stepUntil(fixture, () -> fixture.held(table).isEmpty());
    }

    private boolean isRepublished(String table) {
        return fixture.held(table).equals(Optional.of(TableHold.Kind.REPUBLISHING));
    }

    private String reason(String table) {
        return Optional.ofNullable(fixture.status.held().get(table))
                .map(TableHold::reason)
                .orElse("");
    }

    private static void stepUntil(RelayFixture fixture, BooleanSupplier isThere) throws InterruptedException {
        for (int i = 0; i < 50 && !isThere.getAsBoolean(); i++) {
            fixture.step();
        }
        assertThat(isThere.getAsBoolean()).isTrue();
    }

    private void writeMoviesUntilTheOutboxIsTrimmed() throws Exception {
        for (int i = 0; i < 2 * RETAIN; i++) {
            fixture.putMovie("m" + i % 10);
        }
        fixture.run();
        assertThat(fixture.stores().outbox().lowWaterMark()).isGreaterThan(10);
    }

    private void runForLong() throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            fixture.run();
        }
    }

    /** The topic loses all records, as a broker without its disk cache does. */
    private void empty(String table) {
        for (int partition = 0; partition < TestTables.CUSTOMERS.partitions(); partition++) {
            fixture.log.truncate(
                    table, partition, fixture.log.records(table, partition).size());
        }
    }

    /** A partition loses the change of that sequence, and all that came after it. */
    private void loseFrom(String table, int partition, long sequence) {
        List<ChangeMessage> records = fixture.log.records(table, partition);
        int first = IntStream.range(0, records.size())
                .filter(i -> records.get(i) instanceof ChangeEvent change
                        && change.version().sequence() == sequence)
                .findFirst()
                .orElseThrow();
        fixture.log.truncate(table, partition, records.size() - first);
    }

    private static int changes(RelayFixture fixture) {
        return fixture.events().size();
    }

    private int heartbeats(String table) {
        int partitions = table.equals("movies") ? TestTables.MOVIES.partitions() : TestTables.CUSTOMERS.partitions();
        return (int) IntStream.range(0, partitions)
                .mapToObj(partition -> fixture.log.records(table, partition))
                .flatMap(List<ChangeMessage>::stream)
                .filter(Heartbeat.class::isInstance)
                .count();
    }
}
