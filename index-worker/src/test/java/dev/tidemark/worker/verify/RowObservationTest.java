package dev.tidemark.worker.verify;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.DerivedRow;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Entries;
import dev.tidemark.worker.store.RowState.Standing;

import static org.assertj.core.api.Assertions.assertThat;

class RowObservationTest {
    private static final long GENERATION = 3;
    private static final RowVersion FROM = version(10);

    @Test
    void aStateIsInFluxOnlyAfterAllThatTheFactShowsAndOnlyBesideAnEarlierFact() {
        assertThat(beside(version(10), fact(5)).isInFlux()).isFalse();
        assertThat(beside(version(11), fact(5)).isInFlux()).isTrue();
        assertThat(beside(version(11), fact(11)).isInFlux()).isFalse();
        assertThat(beside(version(11), Optional.empty()).isInFlux()).isTrue();
        assertThat(beside(version(11), fact(5)).beside(FROM, fact(5)).isInFlux())
                .isFalse();
    }

    @Test
    void aVersionIsForeignWhereTheFactWouldShowIt() {
        assertThat(beside(version(10), fact(5)).isForeign()).isTrue();
        assertThat(beside(version(5), fact(5)).isForeign()).isFalse();
        assertThat(beside(version(4), fact(5)).isForeign()).isFalse();
        assertThat(beside(version(10), Optional.empty()).isForeign())
                .as("a row that was deleted since")
                .isFalse();
        assertThat(beside(version(11), fact(5)).isForeign())
                .as("the fact was read too early")
                .isFalse();
        assertThat(beside(version(11), fact(5)).beside(FROM, fact(5)).isForeign())
                .isTrue();
        assertThat(beside(version(11), fact(5)).beside(FROM, Optional.empty()).isForeign())
                .isTrue();
    }

    @Test
    void bytesAreThoseOfAllKeysAndOfWhatIsCarriedWithTheirObjects() {
        RowObservation nothing = beside(version(1), Optional.empty());
        assertThat(nothing.bytes()).isZero();

        DerivedRow derived = new DerivedRow(List.of(bytes(10)), KeyBytes.EMPTY, Entries.NONE);
        RowState state = new RowState(
                version(1),
                Standing.LIVE,
                Map.of(GENERATION, new Entries(List.of(bytes(7), bytes(9)), 0, Optional.empty())));
        RowObservation all = new RowObservation(
                0,
                bytes(1),
                GENERATION,
                FROM,
                Optional.of(new RowObservation.Fact(version(1), derived)),
                Optional.of(state),
                new TreeMap<>(Map.of(bytes(20), bytes(1_000))),
                false);

        assertThat(all.bytes()).isEqualTo(derived.bytes() + (2 * 64 + 20 + 1_000) + (64 + 7) + (64 + 9));
    }

    private static RowObservation beside(RowVersion known, Optional<RowObservation.Fact> fact) {
        RowState state = RowState.without(known, Standing.DELETED);
        return new RowObservation(0, bytes(1), GENERATION, FROM, fact, Optional.of(state), new TreeMap<>(), false);
    }

    private static Optional<RowObservation.Fact> fact(long number) {
        DerivedRow none = new DerivedRow(List.of(), KeyBytes.EMPTY, Entries.NONE);
        return Optional.of(new RowObservation.Fact(version(number), none));
    }

    private static RowVersion version(long number) {
        return new RowVersion(1, number);
    }

    private static KeyBytes bytes(int count) {
        return KeyBytes.wrap(new byte[count]);
    }
}
