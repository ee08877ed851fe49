package dev.tidemark.writer.outbox;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.outbox.Dismissals.Outcome;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.outbox.RelayFixture.partitionOf;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static org.assertj.core.api.Assertions.assertThat;

class DismissalRelayTest {
    private static final long ROW = 1;
    private static final long NO_ROW = 7;
    private static final KeyBytes NO_KEY = KeyBytes.wrap("junk".getBytes(StandardCharsets.UTF_8));

    private final RelayFixture fixture = new RelayFixture();

    @BeforeEach
    void publishARow() throws Exception {
        fixture.put(ROW, "a");
        fixture.run();
    }

    @Test
    void theRemovalOfAKeyThatNoRowHasComesAfterAllThatWasTold() throws Exception {
        RowVersion told = fixture.heartbeat(partitionOf(NO_ROW)).orElseThrow().frontier();
        fixture.log.intrudeGarbage("customers", partitionOf(NO_ROW), customerKey(NO_ROW));

        CompletableFuture<Outcome> done = dismiss(partitionOf(NO_ROW), customerKey(NO_ROW));
        fixture.run();

        assertThat(done).isCompletedWithValue(Outcome.PUBLISHED);
        List<ChangeEvent> removals = removals();
        assertThat(removals).hasSize(1);
        assertThat(removals.get(0).key()).isEqualTo(customerKey(NO_ROW));
        assertThat(removals.get(0).version()).isEqualTo(told);
    }

    @Test
    void aRowThatIsInsertedMeanwhileIsNewerThanTheRemoval() throws Exception {
        fixture.log.setSilent(true);
        CompletableFuture<Outcome> done = dismiss(partitionOf(NO_ROW), customerKey(NO_ROW));
        fixture.step();

        fixture.put(NO_ROW, "b");
        fixture.step();
        fixture.log.setSilent(false);
        fixture.run();

        assertThat(done).isCompletedWithValue(Outcome.PUBLISHED);
        assertThat(fixture.sequencesOf(NO_ROW)).containsExactly(1L, 2L);
    }

    @Test
    void aKeyThatARowHasIsNotRemoved() throws Exception {
        CompletableFuture<Outcome> done = dismiss(partitionOf(ROW), customerKey(ROW));
        fixture.run();

        assertThat(done).isCompletedWithValue(Outcome.ROW_EXISTS);
        assertThat(removals()).isEmpty();
    }

    @Test
    void theKeyOfARowIsRemovedFromAPartitionThatIsNotTheRows() throws Exception {
        int elsewhere = (partitionOf(ROW) + 1) % TestTables.CUSTOMERS.partitions();

        CompletableFuture<Outcome> done = dismiss(elsewhere, customerKey(ROW));
        fixture.run();

        assertThat(done).isCompletedWithValue(Outcome.PUBLISHED);
        assertThat(fixture.log.records("customers", elsewhere))
                .filteredOn(ChangeEvent.Forgotten.class::isInstance)
                .hasSize(1);
    }

    @Test
    void aKeyThatIsNoneOfTheTableIsRemoved() throws Exception {
        CompletableFuture<Outcome> done = dismiss(0, NO_KEY);
        fixture.run();

        assertThat(done).isCompletedWithValue(Outcome.PUBLISHED);
        assertThat(removals()).extracting(ChangeEvent::key).containsExactly(NO_KEY);
    }

    @Test
    void nothingIsRemovedFromAPartitionThatIsNotThere() throws Exception {
        CompletableFuture<Outcome> done = dismiss(TestTables.CUSTOMERS.partitions(), NO_KEY);
        fixture.run();

        assertThat(done).isCompletedWithValue(Outcome.NO_PARTITION);
        assertThat(removals()).isEmpty();
    }

    @Test
    void nothingIsDismissedBeforeTheLogHasTheRemoval() throws Exception {
        fixture.log.setSilent(true);
        CompletableFuture<Outcome> first = dismiss(0, NO_KEY);
        CompletableFuture<Outcome> second = dismiss(1, NO_KEY);
        fixture.run();
        assertThat(first).isNotDone();
        assertThat(removals()).hasSize(1);

        fixture.log.setSilent(false);
        fixture.run();

        assertThat(first).isCompletedWithValue(Outcome.PUBLISHED);
        assertThat(second).isCompletedWithValue(Outcome.PUBLISHED);
    }

    @Test
    void whatATopicRefusesIsNotDismissedAndNothingIsSentWhileTheTableIsHeld() throws Exception {
        fixture.log.refuseRecords("customers", true);
        CompletableFuture<Outcome> refused = dismiss(0, NO_KEY);
        fixture.step();
        fixture.step();
        assertThat(refused).isCompletedWithValue(Outcome.UNAVAILABLE);
        assertThat(fixture.held("customers")).isPresent();

        fixture.log.refuseRecords("customers", false);
        CompletableFuture<Outcome> held = dismiss(0, NO_KEY);
        fixture.stepUnanswered();

        assertThat(held).isCompletedWithValue(Outcome.UNAVAILABLE);
        assertThat(removals()).isEmpty();
    }

    @Test
    void whatIsUnderWayWhenTheProducerIsGivenUpIsNotDismissed() throws Exception {
        fixture.log.setSilent(true);
        CompletableFuture<Outcome> underWay = dismiss(0, NO_KEY);
        CompletableFuture<Outcome> waiting = dismiss(1, NO_KEY);
        fixture.step();

        fixture.log.failAfter(0);
        fixture.put(ROW, "b");
        fixture.step();

        assertThat(underWay).isCompletedWithValue(Outcome.UNAVAILABLE);
        assertThat(waiting).isCompletedWithValue(Outcome.UNAVAILABLE);
        fixture.log.setSilent(false);
        fixture.waitForRetry();
        fixture.run();
        assertThat(removals()).as("what was given up is not sent again").hasSize(1);
    }

    @Test
    void aFactTableThatCannotBeReadCostsTheDismissalAlone() throws Exception {
        fixture.disk.damageRow(customerKey(NO_ROW));

        CompletableFuture<Outcome> done = dismiss(partitionOf(NO_ROW), customerKey(NO_ROW));
        fixture.step();

        assertThat(done).isCompletedWithValue(Outcome.UNAVAILABLE);
        assertThat(fixture.phase()).isEqualTo(RelayState.Phase.RUNNING);
        assertThat(removals()).isEmpty();
    }

    @Test
    void aStepThatOnlyMovesADismissalOnSaysSo() throws Exception {
        CompletableFuture<Outcome> refused = dismiss(partitionOf(ROW), customerKey(ROW));
        assertThat(fixture.step()).as("it is refused").isEqualTo(1);
        assertThat(refused).isCompleted();

        fixture.log.setSilent(true);
        CompletableFuture<Outcome> done = dismiss(0, NO_KEY);
        assertThat(fixture.step()).as("it is sent").isEqualTo(1);
        assertThat(fixture.step()).isZero();
        fixture.log.setSilent(false);

        assertThat(fixture.step()).as("it is acknowledged").isEqualTo(1);
        assertThat(done).isCompletedWithValue(Outcome.PUBLISHED);
        CompletableFuture<Outcome> next = dismiss(0, NO_KEY);
        assertThat(fixture.step()).as("both at once").isEqualTo(2);
        assertThat(next).isCompletedWithValue(Outcome.PUBLISHED);
    }

    @Test
    void noOlderChangeIsPublishedBehindARemovalAfterAPowerCut() throws Exception {
        fixture.put(ROW, "b");
        fixture.run();
        CompletableFuture<Outcome> done = dismiss(0, NO_KEY);
        fixture.step();
        assertThat(done).isCompletedWithValue(Outcome.PUBLISHED);

        fixture.restart(fixture.disk.unsynced());
        fixture.run();

        assertThat(fixture.sequencesOf(ROW)).containsExactly(1L, 2L);
    }

    private CompletableFuture<Outcome> dismiss(int partition, KeyBytes key) {
        return fixture.dismissals().dismiss("customers", partition, key);
    }

    private List<ChangeEvent> removals() {
        return fixture.events().stream()
                .filter(ChangeEvent.Forgotten.class::isInstance)
                .toList();
    }
}
