package dev.tidemark.change;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CommitTimeTest {
    private static final int TIMES = 20_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2024-02-29T23:59:59Z",
                "0000-01-01T00:00:00Z",
                "9999-12-31T23:59:59.999999999Z",
                "1969-12-31T23:59:59.5Z",
                "2026-01-31T01:02:03.120Z",
                "2026-01-31T24:00:00Z",
                "2026-01-31T01:02:03+02:00",
                "+12026-01-31T01:02:03Z"
            })
    void readsWhatThePlatformReads(String text) {
        assertThat(CommitTime.parse(text)).isEqualTo(Instant.parse(text));
    }

    @Test
    void readsEveryTimeThatIsWritten() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < TIMES; i++) {
            long nanos = random.nextBoolean() ? random.nextInt(1_000_000_000) : random.nextInt(1_000) * 1_000_000L;
            Instant time = Instant.ofEpochSecond(random.nextLong(-62_167_219_200L, 253_402_300_800L), nanos);

            assertThat(CommitTime.parse(time.toString())).as("seed %s", seed).isEqualTo(time);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "yesterday",
                "2023-02-29T00:00:00Z",
                "2026-13-01T00:00:00Z",
                "2026-01-31T25:00:00Z",
                "2026-01-31T00:60:00Z",
                "2026-01-31T00:00:00",
                "2026-01-31T00:00:00.1234567890Z",
                "2026-01-31 00:00:00Z",
                "٢026-01-31T00:00:00Z"
            })
    void refusesWhatIsNoTime(String text) {
        assertThatThrownBy(() -> CommitTime.parse(text)).isInstanceOf(DateTimeException.class);
    }
}
