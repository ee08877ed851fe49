package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeEvent;

import static org.assertj.core.api.Assertions.assertThat;

class TombstoneRelayTest {
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
        assertThat(fixture.stores().tombstones().due(fixture.clock.instant(), Set.of(), 10))
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
        assertThat(fixture.stores().tombstones().due(fixture.clock.instant(), Set.of(), 10))
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
}
