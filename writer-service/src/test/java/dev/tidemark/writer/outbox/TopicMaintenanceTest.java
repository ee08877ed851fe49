package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.writer.outbox.RelayState.Phase;

import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static org.assertj.core.api.Assertions.assertThat;

/** When topics are looked at, and what becomes of their tables meanwhile. */
class TopicMaintenanceTest {
    private final RelayFixture fixture = new RelayFixture();

    @Test
    void aStepThatAsksOrTakesAnAnswerSaysSo() throws Exception {
        assertThat(fixture.stepUnanswered()).as("it asks").isEqualTo(1);
        assertThat(fixture.stepUnanswered()).as("it waits").isZero();
        assertThat(fixture.step()).as("it is answered").isEqualTo(1);
        fixture.run();

        assertThat(fixture.stepUnanswered()).as("nothing is due").isZero();
    }

    @Test
    void aTopicInUseThatCannotBeLookedAtGoesOnAndIsLookedAtLater() throws Exception {
        fixture.run();
        fixture.log.hide("customers", true);
        fixture.clock.advance(TopicReconciler.SURE_AFTER);
        fixture.step();
        fixture.step();
        assertThat(fixture.stepUnanswered()).as("it is not asked at once").isZero();

        fixture.put(1, "a");
        fixture.step();

        assertThat(fixture.status.held()).isEmpty();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L);
    }

    @Test
    void aLookFromBeforeATableWasHeldSaysNothing() throws Exception {
        fixture.run();
        fixture.clock.advance(TopicReconciler.SURE_AFTER);
        fixture.stepUnanswered();
        fixture.log.refuseRecords("customers", true);
        fixture.put(1, "a");
        fixture.stepUnanswered();
        assertThat(fixture.held("customers")).contains(TableHold.Kind.REFUSED);
        fixture.log.refuseRecords("customers", false);

        fixture.step();
        assertThat(fixture.held("customers")).contains(TableHold.Kind.REFUSED);

        fixture.run();
        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L);
    }

    @Test
    void aLookFromBeforeChangesWereLeftOutDoesNotEndTheWait() throws Exception {
        fixture.run();
        fixture.log.hide("movies", true);
        fixture.put(1, "a");
        fail();
        fixture.waitForRetry();
        fixture.run();
        assertThat(fixture.held("movies")).contains(TableHold.Kind.WAITING);
        fixture.log.hide("movies", false);
        fixture.clock.advance(Duration.ofSeconds(1));
        fixture.stepUnanswered();
        fixture.putMovie("Left out");
        fixture.stepUnanswered();
        fixture.stepUnanswered();
        assertThat(fixture.movies()).isEmpty();

        fixture.run();

        assertThat(fixture.held("movies")).isEmpty();
        assertThat(fixture.movies()).hasSize(1);
    }

    @Test
    void aTopicThatMayNotBeLookedAtAfterAFailureHoldsItsTableAlone() throws Exception {
        fixture.run();
        fixture.log.forbid("movies", true);
        fixture.put(1, "a");
        fail();
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.phase()).isEqualTo(Phase.RUNNING);
        assertThat(fixture.held("movies")).contains(TableHold.Kind.REFUSED);
        assertThat(fixture.sequencesOf(1)).containsExactly(1L);
        fixture.log.forbid("movies", false);
        fixture.settle();
        assertThat(fixture.held("movies")).isEmpty();
    }

    @Test
    void aTableThatDoesNotWaitAnyMoreAfterAFailureIsNotShownToWait() throws Exception {
        fixture.run();
        fixture.log.hide("movies", true);
        fixture.put(1, "a");
        fail();
        fixture.waitForRetry();
        fixture.run();
        assertThat(fixture.held("movies")).contains(TableHold.Kind.WAITING);

        fixture.log.hide("movies", false);
        fixture.put(2, "b");
        fail();
        fixture.waitForRetry();
        fixture.run();

        assertThat(fixture.phase()).isEqualTo(Phase.RUNNING);
        assertThat(fixture.held("movies")).isEmpty();
    }

    @Test
    void aTopicInUseThatHasLostItsOldestRecordsGoesOnUntilItIsDeleted() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        fixture.log.allowDeletes(false);
        fixture.log.curtail("customers", 1);
        for (int i = 0; i < 2; i++) {
            fixture.clock.advance(TopicReconciler.SURE_AFTER);
            fixture.stepUnanswered();
            fixture.step();
        }

        assertThat(fixture.held("customers")).isEmpty();
        fixture.put(1, "b");
        fixture.stepUnanswered();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
        fixture.log.allowDeletes(true);
        fixture.run();
        assertThat(fixture.held("customers")).contains(TableHold.Kind.WAITING);
    }

    @Test
    void saysWhyATableWaitsWhoseTopicIsDeletedAtTheStart() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        fixture.log.deleteTopic("customers");
        fixture.log.makeTopic("customers", 1);
        fixture.restart(0);

        fixture.step();
        fixture.step();

        assertThat(fixture.status.held().get("customers"))
                .isEqualTo(new TableHold(
                        TableHold.Kind.WAITING,
                        "topic tidemark.changes.customers was created by another program, and is recreated"));
    }

    @Test
    void aRecordThatComesLateBeforeTheLookAfterAFailureIsPublishedOver() throws Exception {
        fixture.run();
        fixture.put(1, "old");
        fail();
        fixture.waitForRetry();
        fixture.run();
        fixture.put(1, "new");
        fixture.run();
        fixture.put(2, "a");
        fail();
        fixture.log.comeLate();

        fixture.settle();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L, 1L, 4L);
        assertThat(fixture.stores().facts().find("customers", customerKey(1)))
                .satisfies(row -> assertThat(row.row()).isEqualTo(customer(1, "new")));
    }

    @Test
    void whereNothingCanHaveComeLateNothingIsReadAfterAFailure() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        fixture.clock.advance(RelayFixture.HEARTBEAT);
        fixture.step();
        fixture.put(1, "b");
        fail();
        fixture.log.failReadAfter(0);
        fixture.waitForRetry();

        fixture.run();

        assertThat(fixture.phase()).isEqualTo(Phase.RUNNING);
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
    }

    @Test
    void aHeldTableWhoseTopicCannotBeReadWaitsAlone() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        fixture.log.object("customers", "it is not as it should be");
        lookAgain();
        assertThat(fixture.held("customers")).contains(TableHold.Kind.REFUSED);
        fixture.log.object("customers", "");
        fixture.log.failNextSingleRead();

        lookAgain();
        assertThat(fixture.phase()).isEqualTo(Phase.RUNNING);
        assertThat(fixture.held("customers")).contains(TableHold.Kind.WAITING);
        fixture.putMovie("goes on");
        fixture.step();
        assertThat(fixture.movies()).hasSize(1);

        lookAgain();
        assertThat(fixture.held("customers")).isEmpty();
        assertThat(fixture.log.isReading()).isFalse();
    }

    @Test
    void nothingIsPublishedWhileATopicCannotBeReadThatMayHoldUncountedRecords() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        fixture.put(1, "b");
        fail();
        fixture.log.failNextSingleRead();
        fixture.waitForRetry();

        fixture.step();
        fixture.step();
        assertThat(fixture.phase()).isEqualTo(Phase.WAITING);

        fixture.waitForRetry();
        fixture.run();
        assertThat(fixture.phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void aLossIsNoticedWhileWhatWasAcknowledgedWaitsForStrayRecordsElsewhere() throws Exception {
        fixture.run();
        fixture.log.intrudeGarbage("customers", RelayFixture.partitionOf(1), customerKey(1));
        fixture.put(1, "a");
        fixture.putMovie("lost");
        fixture.step();
        int partition = RelayFixture.partitionOfMovie("lost");
        fixture.log.truncate("movies", partition, 1);
        lookAgain();
        assertThat(fixture.held("movies")).isPresent();

        fixture.log.intrudeGarbage("movies", partition, customerKey(2));
        fixture.idle();
        fixture.run();

        assertThat(fixture.held("movies")).isEmpty();
        assertThat(fixture.movies()).containsExactly(2L);
    }

    @Test
    void nothingIsWaitedForThatWasSentToATableBeforeItLeftTheCatalog() throws Exception {
        fixture.run();
        fixture.log.setSilent(true);
        fixture.putMovie("one");
        fixture.step();
        assertThat(fixture.stores().outbox().publishedThrough()).isZero();

        fixture.left.add("movies");
        fixture.step();

        assertThat(fixture.stores().outbox().publishedThrough()).isEqualTo(1);
    }

    @Test
    void aTopicThatIsLookedAtWhileItIsFilledIsNotFilledOnceMore() throws Exception {
        int many = 1_100;
        for (int i = 0; i < many; i++) {
            fixture.put(i % 10, "town" + i);
        }
        fixture.run();
        fixture.log.deleteTopic("customers");
        fixture.restart(0);
        fixture.run();
        fixture.waitForRetry();
        fixture.log.setSilent(true);
        for (int i = 0; i < 10 && !isRepublished(); i++) {
            fixture.step();
        }
        lookAgain();
        assertThat(isRepublished()).isTrue();

        fixture.log.setSilent(false);
        fixture.putMovie("one");
        fixture.step();
        fixture.log.setSilent(true);
        for (int i = 0; i < 10 && isRepublished(); i++) {
            fixture.step();
        }
        assertThat(fixture.held("customers")).isEmpty();
        lookAgain();
        assertThat(fixture.held("customers")).as("its last piece is under way").isEmpty();

        fixture.log.setSilent(false);
        fixture.put(1, "next");
        fixture.run();
        assertThat(fixture.events()).hasSize(many + 1);
    }

    private boolean isRepublished() {
        return fixture.held("customers").equals(Optional.of(TableHold.Kind.REPUBLISHING));
    }

    private void lookAgain() throws InterruptedException {
        fixture.clock.advance(TopicReconciler.SURE_AFTER);
        for (int i = 0; i < 3; i++) {
            fixture.step();
        }
    }

    private void fail() throws InterruptedException {
        fixture.log.failAfter(0);
        fixture.step();
        assertThat(fixture.phase()).isEqualTo(Phase.WAITING);
    }
}
