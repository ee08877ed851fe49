package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeEvent;

import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class SupersededTombstoneTest {
    private static final Duration BETWEEN = Duration.ofMinutes(30);

    private final RelayFixture fixture = new RelayFixture();

    @Test
    void aRowThatWasDeletedAgainIsForgottenWithItsNewestDelete() throws Exception {
        fixture.put(1, "a");
        fixture.delete(1);
        fixture.run();
        fixture.clock.advance(BETWEEN);
        fixture.put(1, "b");
        fixture.delete(1);
        fixture.run();

        fixture.clock.advance(RelayFixture.TOMBSTONE_DELAY.minus(BETWEEN));
        fixture.run();

        assertThat(fixture.events()).noneMatch(ChangeEvent.Forgotten.class::isInstance);
        assertThat(fixture.stores().tombstones().due(fixture.clock.instant(), Optional.empty(), 10))
                .extracting(Tombstone::version)
                .as("the older delete needs no tombstone")
                .containsExactly(version(4));

        fixture.clock.advance(BETWEEN);
        fixture.run();

        assertThat(fixture.events())
                .filteredOn(ChangeEvent.Forgotten.class::isInstance)
                .extracting(ChangeEvent::version)
                .containsExactly(version(4));
        assertThat(fixture.stores().tombstones().due(fixture.clock.instant(), Optional.empty(), 10))
                .isEmpty();
    }
}
