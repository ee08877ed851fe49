package dev.tidemark.worker.generation;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.DigestFinding;

import static org.assertj.core.api.Assertions.assertThat;

class DigestEqualityTest {
    private static final Instant EARLY = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATE = Instant.parse("2026-01-01T00:00:01Z");

    @Test
    void anIndexIsEqualWhenEveryShardSaysSoAsOfTheEarliest() {
        assertThat(DigestEquality.of(List.of(found(LATE, 0), found(EARLY, 0))))
                .isEqualTo(new DigestEquality(Optional.of(true), Optional.of(EARLY)));
    }

    @Test
    void oneShardThatSurelyDiffersIsEnough() {
        assertThat(DigestEquality.of(List.of(found(LATE, 2), Optional.empty())).equal())
                .contains(false);
    }

    @Test
    void nothingIsKnownWhereAShardCannotTellOrHasDifferedOnce() {
        assertThat(DigestEquality.of(List.of(found(LATE, 0), Optional.empty())).equal())
                .isEmpty();
        assertThat(DigestEquality.of(List.of(found(LATE, 0), found(LATE, 1))).equal())
                .isEmpty();
        assertThat(DigestEquality.of(List.of())).isEqualTo(new DigestEquality(Optional.empty(), Optional.empty()));
    }

    private static Optional<DigestFinding> found(Instant asOf, int differing) {
        return Optional.of(new DigestFinding(new RowVersion(1, 1), asOf, differing));
    }
}
