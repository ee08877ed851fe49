package dev.tidemark.change;

import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class HandoverTest {
    private static final Instant COMMIT = Instant.parse("2026-01-01T00:00:00.000001Z");

    @Test
    void travelsAsTextWithMicroseconds() {
        Handover handover = Handover.of(COMMIT, COMMIT.plusNanos(830_900), COMMIT.plusSeconds(2));
        assertThat(handover.text()).isEqualTo("830,2000000");
        assertThat(Handover.parse(handover.text())).isEqualTo(handover);
        assertThat(handover.onDiskMicros()).isEqualTo(830);
        assertThat(handover.handedOverMicros()).isEqualTo(2_000_000);
    }

    @Test
    void isUnknownInARecordOfAnEarlierVersion() {
        assertThat(Handover.parse(null)).isEqualTo(Handover.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "12", "12,", ",12", "12,x", "1,2,3", "99999999999999999999,1"})
    void isUnknownRatherThanWrong(String text) {
        assertThat(Handover.parse(text)).isEqualTo(Handover.UNKNOWN);
    }
}
