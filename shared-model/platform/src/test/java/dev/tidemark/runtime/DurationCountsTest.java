package dev.tidemark.runtime;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DurationCountsTest {
    @Test
    void whatIsEqualSideBySideIsKeptOnceAndCountedOften() {
        DurationCounts durations = new DurationCounts(1);
        durations.add(7, 2);
        durations.add(7, 3);
        durations.add(8, 1);
        durations.add(7, 1);
        assertThat(durations.size()).isEqualTo(3);
        assertThat(durations.each()).extracting(Duration::toNanos).containsExactly(7L, 7L, 7L, 7L, 7L, 8L, 7L);
    }
}
