package dev.tidemark.writer.recovery;

import java.time.Instant;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitPosition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RollbackDetectorTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void tablesThatHaveAllThatWasSeenStayInTheirEpoch() throws Exception {
        assertThat(RollbackDetector.next(point(1, 7, NOON), Optional.empty())).isEmpty();
        assertThat(RollbackDetector.next(point(1, 7, NOON), Optional.of(point(1, 7, NOON))))
                .isEmpty();
        assertThat(RollbackDetector.next(point(2, 3, NOON), Optional.of(point(1, 7, NOON))))
                .isEmpty();
    }

    @Test
    void tablesThatLackWhatWasSeenBeginAnEpochAfterAllOfIt() throws Exception {
        Instant later = NOON.plusSeconds(9);

        assertThat(RollbackDetector.next(point(1, 5, NOON), Optional.of(point(1, 7, later))))
                .contains(point(2, 5, later));
        assertThat(RollbackDetector.next(point(1, 5, NOON), Optional.of(point(4, 2, NOON))))
                .contains(point(5, 5, NOON));
    }

    @Test
    void emptyTablesWhereSomeWereSeenAreRefusedWithAWayOut() {
        assertThatThrownBy(() -> RollbackDetector.next(point(1, 0, Instant.EPOCH), Optional.of(point(1, 7, NOON))))
                .isInstanceOf(FactsGoneException.class)
                .hasMessageContaining("0001000000000000007")
                .hasMessageContaining("tidemark restore");
    }

    private static CommitPosition point(long epoch, long sequence, Instant time) {
        return new CommitPosition(new RowVersion(epoch, sequence), time);
    }
}
