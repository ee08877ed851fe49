package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeEvent;

import static org.assertj.core.api.Assertions.assertThat;

class TombstoneRelayTest {
    /** How often it is looked which are due. */
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final RelayFixture fixture = new RelayFixture();

    @Test
    void aDeletedRowIsForgottenAfterAWhile() throws Exception {
        fixture.put(1, "a");
        fixture.delete(1);
        fixture.run();
        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.minusSeconds(1));
        fixture.run();
        assertThat(fixture.events()).noneMatch(ChangeEvent.Forgotten.class::isInstance);

        fixture.clock.advance(Duration.ofSeconds(2));
        fixture.run();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L, 2L);
        assertThat(fixture.events()).last().isInstanceOf(ChangeEvent.Forgotten.class);
        assertThat(fixture.stores().tombstones().due(fixture.clock.instant(), Optional.empty(), 10))
                .isEmpty();
    }

    @Test
    void aRowThatIsThereAgainIsNotForgotten() throws Exception {
        fixture.put(1, "a");
        fixture.delete(1);
        fixture.put(1, "b");
        fixture.run();
        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.plusSeconds(1));

        fixture.run();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L, 3L);
        assertThat(fixture.stores().tombstones().due(fixture.clock.instant(), Optional.empty(), 10))
                .isEmpty();
    }

    @Test
    void aRowIsNotForgottenBeforeItsDeleteIsPublished() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        fixture.log.setDown(true);
        fixture.delete(1);
        fixture.run();
        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.plusSeconds(1));
        fixture.log.setDown(false);

        fixture.run();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L, 2L);
        assertThat(fixture.events()).last().isInstanceOf(ChangeEvent.Forgotten.class);
    }

    @Test
    void aTombstoneThatCouldNotBePublishedFallsDueAgain() throws Exception {
        fixture.put(1, "a");
        fixture.delete(1);
        fixture.run();
        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.plusSeconds(1));
        fixture.log.setDown(true);
        fixture.run();
        fixture.log.setDown(false);
        fixture.waitForRetry();

        fixture.run();

        assertThat(fixture.events()).last().isInstanceOf(ChangeEvent.Forgotten.class);
    }

    @Test
    void aDeleteThatIsForgottenIsNotPublishedAgainAfterAPowerCut() throws Exception {
        fixture.run();
        fixture.put(1, "a");
        fixture.delete(1);
        fixture.run();
        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.plusSeconds(1));
        while (fixture.events().stream().noneMatch(ChangeEvent.Forgotten.class::isInstance)) {
            fixture.step();
        }

        fixture.restart(fixture.disk.unsynced());
        fixture.run();

        assertThat(fixture.events()).last().isInstanceOf(ChangeEvent.Forgotten.class);
        assertThat(fixture.sequencesOf(1))
                .as("the row that was deleted")
                .filteredOn(sequence -> sequence == 1)
                .hasSize(1);
    }

    @Test
    void aRowIsNotForgottenBeforeTheLogHasAcknowledgedItsDelete() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        fixture.log.setSilent(true);
        fixture.delete(1);
        fixture.step();
        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.plusSeconds(1));
        fixture.step();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);

        fixture.log.setSilent(false);
        fixture.run();
        fixture.clock.advance(INTERVAL);
        fixture.run();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L, 2L);
    }

    @Test
    void aRowIsForgottenOnceHoweverLongTheLogTakes() throws Exception {
        fixture.put(1, "a");
        fixture.delete(1);
        fixture.run();
        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.plusSeconds(1));
        fixture.log.setSilent(true);
        for (int i = 0; i < 5; i++) {
            fixture.step();
            fixture.clock.advance(INTERVAL);
        }
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L, 2L);
        assertThat(isDue()).isTrue();

        fixture.log.setSilent(false);
        for (int i = 0; i < 5; i++) {
            fixture.step();
            fixture.clock.advance(INTERVAL);
        }
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L, 2L);
        assertThat(isDue()).isFalse();
    }

    @Test
    void theLastDeleteOfARowAloneHasItForgotten() throws Exception {
        fixture.put(1, "a");
        fixture.delete(1);
        fixture.put(1, "b");
        fixture.delete(1);
        fixture.run();
        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.plusSeconds(1));

        fixture.run();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L, 3L, 4L, 4L);
        assertThat(isDue()).isFalse();
    }

    @Test
    void rowsThatAreDeletedLaterAreForgottenToo() throws Exception {
        for (int id = 1; id <= 2; id++) {
            fixture.put(id, "a");
            fixture.delete(id);
            fixture.run();
            fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.plusSeconds(1));
            fixture.run();
        }

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L, 2L);
        assertThat(fixture.sequencesOf(2)).containsExactly(3L, 4L, 4L);
    }

    @Test
    void soDoesOneThatTurnsOutLaterToHaveFailed() throws Exception {
        fixture.put(1, "a");
        fixture.delete(1);
        fixture.run();
        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.plusSeconds(1));
        fixture.log.setSilent(true);
        fixture.step();
        fixture.log.failUnderWay();
        fixture.step();
        fixture.log.setSilent(false);
        fixture.waitForRetry();

        fixture.run();
        fixture.clock.advance(INTERVAL);
        fixture.run();

        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L, 2L, 2L);
        assertThat(isDue()).isFalse();
    }

    @Test
    void aTombstoneThatItsTopicRefusesFallsDueAgain() throws Exception {
        fixture.put(1, "a");
        fixture.delete(1);
        fixture.run();
        fixture.log.refuseRecords("customers", true);
        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.plusSeconds(1));
        fixture.run();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
        assertThat(isDue()).isTrue();

        fixture.log.refuseRecords("customers", false);
        fixture.clock.advance(TopicReconciler.SURE_AFTER);
        fixture.run();
        fixture.clock.advance(INTERVAL);
        fixture.run();

        assertThat(fixture.events()).last().isInstanceOf(ChangeEvent.Forgotten.class);
        assertThat(isDue()).isFalse();
    }

    @Test
    void manyRowsAreForgottenAsFastAsTheLogAcknowledges() throws Exception {
        int rows = 1_100;
        for (int id = 1; id <= rows; id++) {
            fixture.put(id, "a");
            fixture.delete(id);
            if (id % 100 == 0) {
                fixture.run();
            }
        }
        fixture.run();
        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.plusSeconds(1));

        for (int step = 0; step < 80; step++) {
            fixture.log.setSilent(step % 2 == 0);
            fixture.step();
            fixture.clock.advance(Duration.ofMillis(10));
        }

        assertThat(isDue()).isFalse();
        assertThat(fixture.events())
                .filteredOn(ChangeEvent.Forgotten.class::isInstance)
                .hasSize(rows);
    }

    @Test
    void noStepForgetsSoManyRowsThatOthersWaitForLong() throws Exception {
        for (int id = 1; id <= 300; id++) {
            fixture.put(id, "a");
            fixture.delete(id);
        }
        fixture.run();
        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.plusSeconds(1));

        fixture.step();

        assertThat(fixture.events())
                .filteredOn(ChangeEvent.Forgotten.class::isInstance)
                .hasSizeBetween(1, 100);
    }

    @Test
    void whatATableThatLeftTheCatalogHasToForgetIsDropped() throws Exception {
        fixture.put(1, "a");
        fixture.delete(1);
        fixture.run();
        fixture.left.add("customers");
        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.plusSeconds(1));

        fixture.run();

        assertThat(isDue()).isFalse();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L);
    }

    /** Its topic lacks deletes, and once the table is back it is filled with them. */
    @Test
    void unlessChangesOfTheTableWereLeftOut() throws Exception {
        fixture.put(1, "a");
        fixture.run();
        fixture.left.add("customers");
        fixture.delete(1);
        fixture.run();
        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.plusSeconds(1));
        fixture.run();
        assertThat(isDue()).isTrue();

        fixture.left.clear();
        fixture.restart(0);
        fixture.run();
        assertThat(fixture.sequencesOf(1)).contains(1L, 2L);
        assertThat(fixture.events().stream().anyMatch(ChangeEvent.Deleted.class::isInstance))
                .isTrue();
    }

    @Test
    void aStepThatOnlyDealsWithTombstonesSaysSo() throws Exception {
        fixture.put(1, "forgotten");
        fixture.delete(1);
        fixture.run();
        assertThat(stepForTombstonesAlone()).isPositive();
        assertThat(fixture.sequencesOf(1)).containsExactly(1L, 2L, 2L);

        fixture.put(2, "there again");
        fixture.delete(2);
        fixture.put(2, "there again");
        fixture.run();
        assertThat(stepForTombstonesAlone()).isPositive();
        assertThat(isDue()).isFalse();

        fixture.put(3, "forgotten slowly");
        fixture.delete(3);
        fixture.run();
        fixture.log.setSilent(true);
        assertThat(stepForTombstonesAlone()).isPositive();
    }

    /** The last of some steps, in which no heartbeat and no look falls due. */
    private int stepForTombstonesAlone() throws InterruptedException {
        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.minus(INTERVAL).minusMillis(100));
        fixture.run();
        fixture.clock.advance(INTERVAL.minusMillis(80));
        fixture.step();
        fixture.clock.advance(Duration.ofMillis(180));
        return fixture.step();
    }

    private boolean isDue() {
        return !fixture.stores()
                .tombstones()
                .due(fixture.clock.instant(), Optional.empty(), 10)
                .isEmpty();
    }
}
