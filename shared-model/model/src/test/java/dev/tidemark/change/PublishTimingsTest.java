package dev.tidemark.change;

import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PublishTimingsTest {
    private static final Instant COMMIT = Instant.parse("2026-01-01T00:00:00.000001Z");

    @Test
    void travelsAsTextWithMicroseconds() {
        PublishTimings timings = PublishTimings.of(COMMIT, COMMIT.plusNanos(830_900), COMMIT.plusSeconds(2));
        assertThat(timings.text()).isEqualTo("830,2000000");
        assertThat(PublishTimings.parse(timings.text())).isEqualTo(timings);
        assertThat(timings.onDiskMicros()).isEqualTo(830);
        assertThat(timings.handedOverMicros()).isEqualTo(2_000_000);
    }

    @Test
    void isUnknownInARecordOfAnEarlierVersion() {
        assertThat(PublishTimings.parse(null)).isEqualTo(PublishTimings.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "12", "12,", ",12", "12,x", "1,2,3", "99999999999999999999,1"})
    void isUnknownRatherThanWrong(String text) {
        assertThat(PublishTimings.parse(text)).isEqualTo(PublishTimings.UNKNOWN);
    }
}
