package dev.tidemark.writer.recovery;

import java.time.Instant;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitPosition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EpochRecoveryTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void tablesThatHaveAllThatWasSeenStayInTheirEpoch() throws Exception {
        assertThat(EpochRecovery.next(point(1, 7, NOON), Optional.empty(), false))
                .isEmpty();
        assertThat(EpochRecovery.next(point(1, 7, NOON), Optional.of(point(1, 7, NOON)), false))
                .isEmpty();
        assertThat(EpochRecovery.next(point(2, 3, NOON), Optional.of(point(1, 7, NOON)), false))
                .isEmpty();
    }

    @Test
    void tablesThatLackWhatWasSeenBeginAnEpochAfterAllOfIt() throws Exception {
        Instant later = NOON.plusSeconds(9);

        assertThat(EpochRecovery.next(point(1, 5, NOON), Optional.of(point(1, 7, later)), false))
                .contains(point(2, 5, later));
        assertThat(EpochRecovery.next(point(1, 5, NOON), Optional.of(point(4, 2, NOON)), false))
                .contains(point(5, 5, NOON));
    }

    @Test
    void anotherCopyBeginsAnEpochEvenWhereItLacksNothingThatWasSeen() throws Exception {
        Instant later = NOON.plusSeconds(9);

        assertThat(EpochRecovery.next(point(2, 5, NOON), Optional.empty(), true))
                .contains(point(3, 5, NOON));
        assertThat(EpochRecovery.next(point(2, 5, later), Optional.of(point(1, 3, NOON)), true))
                .contains(point(3, 5, later));
        assertThat(EpochRecovery.next(point(2, 5, NOON), Optional.of(point(3, 7, later)), true))
                .contains(point(4, 5, later));
    }

    @Test
    void emptyTablesWhereSomeWereSeenAreRefusedWithAWayOut() {
        assertThatThrownBy(() -> EpochRecovery.next(point(1, 0, Instant.EPOCH), Optional.of(point(1, 7, NOON)), false))
                .isInstanceOf(FactsGoneException.class)
                .hasMessageContaining("0001000000000000007")
                .hasMessageContaining("tidemark restore");
    }

    private static CommitPosition point(long epoch, long sequence, Instant time) {
        return new CommitPosition(new RowVersion(epoch, sequence), time);
    }
}
