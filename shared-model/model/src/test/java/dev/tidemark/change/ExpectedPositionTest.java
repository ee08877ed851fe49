package dev.tidemark.change;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ExpectedPositionTest {
    @Test
    void whatIsWrittenCanBeRead() {
        ExpectedPosition said = new ExpectedPosition(42, 40, 1_795_607_824_811_000L);
        assertThat(ExpectedPosition.of(Map.of(ExpectedPosition.HEADER, said.text())))
                .contains(said);
        assertThat(ExpectedPosition.of(
                        Map.of(ExpectedPosition.HEADER, said.unknown().text())))
                .contains(new ExpectedPosition(ExpectedPosition.UNKNOWN, 40, 1_795_607_824_811_000L));
    }

    @Test
    void olderWritersSaidLessOrNothing() {
        assertThat(ExpectedPosition.of(Map.of(ExpectedPosition.HEADER, "42")))
                .contains(new ExpectedPosition(42, 42, 0));
        assertThat(ExpectedPosition.of(Map.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "42 ", "42 40", "42 40 x", " 42 40 1", "42 40 1 2", "99999999999999999999"})
    void whatCannotBeReadProvesNothing(String text) {
        assertThat(ExpectedPosition.of(Map.of(ExpectedPosition.HEADER, text))).contains(ExpectedPosition.NONE);
    }

    @Test
    void aProducerOfTheWriterIsAtMostADayAheadOfItsClock() {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        long session = ChronoUnit.MICROS.between(Instant.EPOCH, now);
        long day = TimeUnit.DAYS.toMicros(1);

        assertThat(ExpectedPosition.isBelievable(0, now)).isTrue();
        assertThat(ExpectedPosition.isBelievable(session + day, now)).isTrue();
        assertThat(ExpectedPosition.isBelievable(session + day + 1, now)).isFalse();
    }
}
