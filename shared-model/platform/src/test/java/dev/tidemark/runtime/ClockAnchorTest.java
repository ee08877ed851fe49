package dev.tidemark.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.testkit.ManualClock;

import static org.assertj.core.api.Assertions.assertThat;

class ClockAnchorTest {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    @TempDir
    Path directory = Path.of("");

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00.123456789Z"));
    private final AtomicLong timer = new AtomicLong(-7);

    @BeforeEach
    void startTheMachine() throws IOException {
        Files.writeString(directory.resolve("boot"), "one\n");
    }

    @Test
    void carriesAClockOverWhateverHappensToTheSystemClock() {
        anchor().keep(clock);

        timer.addAndGet(MINUTE);

        assertThat(anchor().continued()).contains(clock.instant().plusSeconds(60));
    }

    @Test
    void keepsTheLatestOnly() {
        anchor().keep(clock);
        clock.advance(Duration.ofHours(1));
        anchor().keep(clock);

        assertThat(anchor().continued()).contains(clock.instant());
        assertThat(directory).isDirectoryNotContaining("glob:**.new");
    }

    @Test
    void saysNothingAtFirstAndAfterAnotherStartOfTheMachine() throws IOException {
        assertThat(anchor().continued()).isEmpty();
        anchor().keep(clock);

        Files.writeString(directory.resolve("boot"), "two\n");

        assertThat(anchor().continued()).isEmpty();
    }

    @Test
    void saysNothingWhereTheMachineDoesNotTellWhenItStarted() throws IOException {
        anchor().keep(clock);
        Files.delete(directory.resolve("boot"));

        assertThat(anchor().continued()).isEmpty();
        anchor().keep(clock);
    }

    @Test
    void saysNothingFromADamagedFile() throws IOException {
        Files.writeString(directory.resolve("anchor"), "one garbage");

        assertThat(anchor().continued()).isEmpty();
    }

    @Test
    void keepsAClockAgainThatHasMovedOnByItself() {
        ClockAnchor anchor = anchor();
        anchor.keep(clock);
        clock.advance(Duration.ofSeconds(3));
        timer.addAndGet(Duration.ofSeconds(3).toNanos());
        assertThat(anchor.keepIfMoved(clock)).isFalse();

        // The timer stands still while the machine is suspended.
        clock.advance(Duration.ofMinutes(10));

        assertThat(anchor.keepIfMoved(clock)).isTrue();
        assertThat(anchor().continued()).contains(clock.instant());
    }

    private ClockAnchor anchor() {
        return new ClockAnchor(directory.resolve("anchor"), directory.resolve("boot"), timer::get);
    }
}
