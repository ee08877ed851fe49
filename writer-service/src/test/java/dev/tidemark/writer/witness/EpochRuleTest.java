package dev.tidemark.writer.witness;

import java.time.Instant;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitPoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EpochRuleTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void tablesThatHaveAllThatWasSeenStayInTheirEpoch() throws Exception {
        assertThat(EpochRule.next(point(1, 7, NOON), Optional.empty())).isEmpty();
        assertThat(EpochRule.next(point(1, 7, NOON), Optional.of(point(1, 7, NOON))))
                .isEmpty();
        assertThat(EpochRule.next(point(2, 3, NOON), Optional.of(point(1, 7, NOON))))
                .isEmpty();
    }

    @Test
    void tablesThatLackWhatWasSeenBeginAnEpochAfterAllOfIt() throws Exception {
        Instant later = NOON.plusSeconds(9);

        assertThat(EpochRule.next(point(1, 5, NOON), Optional.of(point(1, 7, later))))
                .contains(point(2, 5, later));
        assertThat(EpochRule.next(point(1, 5, NOON), Optional.of(point(4, 2, NOON))))
                .contains(point(5, 5, NOON));
    }

    @Test
    void emptyTablesWhereSomeWereSeenAreRefusedWithAWayOut() {
        assertThatThrownBy(() -> EpochRule.next(point(1, 0, Instant.EPOCH), Optional.of(point(1, 7, NOON))))
                .isInstanceOf(FactsGoneException.class)
                .hasMessageContaining("0001000000000000007")
                .hasMessageContaining("tidemark restore");
    }

    private static CommitPoint point(long epoch, long sequence, Instant time) {
        return new CommitPoint(new RowVersion(epoch, sequence), time);
    }
}
