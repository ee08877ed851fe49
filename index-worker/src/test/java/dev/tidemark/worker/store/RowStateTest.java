package dev.tidemark.worker.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.RowState.Entries;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.RowState.Times;

import static org.assertj.core.api.Assertions.assertThat;

class RowStateTest {
    private static final RowVersion VERSION = new RowVersion(1, 7);
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00.123456789Z");

    @Test
    void onlyALaterEventSaysSomethingNewButThatOfThePoisonedVersionHealsToo() {
        for (Standing standing : Standing.values()) {
            RowState row = RowState.without(VERSION, standing);
            assertThat(row.isSurpassedBy(new RowVersion(1, 8)))
                    .as("%s", standing)
                    .isTrue();
            assertThat(row.isSurpassedBy(new RowVersion(1, 6)))
                    .as("%s", standing)
                    .isFalse();
            assertThat(row.isSurpassedBy(VERSION)).as("%s", standing).isEqualTo(standing == Standing.POISONED_AT);
            assertThat(row.inNoVersion().isSurpassedBy(new RowVersion(1, 1)))
                    .as("%s", standing)
                    .isTrue();
        }
    }

    @Test
    void aRowIsThereUnlessItWasDeletedOrARecordOfItIsInQuarantine() {
        assertThat(RowState.without(VERSION, Standing.LIVE).isLive()).isTrue();
        assertThat(RowState.without(VERSION, Standing.LIVE).isPoisoned()).isFalse();
        assertThat(RowState.without(VERSION, Standing.DELETED).isLive()).isFalse();
        assertThat(RowState.without(VERSION, Standing.DELETED).isPoisoned()).isFalse();
        for (Standing poisoned : new Standing[] {Standing.POISONED_AT, Standing.POISONED_PAST}) {
            assertThat(RowState.without(VERSION, poisoned).isLive()).isFalse();
            assertThat(RowState.without(VERSION, poisoned).isPoisoned()).isTrue();
        }
    }

    @Test
    void aRecordInQuarantineThatMayBeOfTheNewestVersionHidesWhatAnotherShardHasOfIt() {
        RowVersion older = new RowVersion(1, 6);
        RowState live = RowState.without(VERSION, Standing.LIVE);
        RowState deleted = RowState.without(VERSION, Standing.DELETED);
        for (RowState poisoned : List.of(
                RowState.without(VERSION, Standing.POISONED_AT), RowState.without(older, Standing.POISONED_PAST))) {
            for (RowState other : List.of(live, deleted)) {
                assertThat(poisoned.together(other)).isEqualTo(poisoned);
                assertThat(other.together(poisoned)).isEqualTo(poisoned);
            }
        }
        RowState surpassed = RowState.without(older, Standing.POISONED_AT);
        for (RowState other : List.of(surpassed, deleted)) {
            assertThat(live.together(other)).isEqualTo(live);
            assertThat(other.together(live)).isEqualTo(live);
        }
    }

    @Test
    void tellsItsEntriesAndItsTimesToTheMillisecond() {
        RowState row = new RowState(VERSION, Standing.LIVE, Map.of(3L, Entries.refused("too long")))
                .at(Times.of(NOON, NOON.plusSeconds(1)));

        assertThat(row.in(3)).contains(Entries.refused("too long"));
        assertThat(row.in(4)).isEmpty();
        Times times = row.inNoVersion().times().orElseThrow();
        assertThat(times.committedAt()).isEqualTo(Instant.parse("2026-01-01T12:00:00.123Z"));
        assertThat(times.appliedAt()).isEqualTo(Instant.parse("2026-01-01T12:00:01.123Z"));
    }
}
