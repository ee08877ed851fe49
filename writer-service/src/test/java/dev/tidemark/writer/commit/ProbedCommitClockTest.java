package dev.tidemark.writer.commit;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.ManualClock;

import static org.assertj.core.api.Assertions.assertThat;

class ProbedCommitClockTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final ManualClock wall = new ManualClock();

    @Test
    void isTheWallClockWhereThatIsAhead() {
        Clock clock = CommitClock.over(wall, wall.instant().minus(HOUR), Optional.empty());

        assertThat(clock.instant()).isEqualTo(wall.instant());
    }

    @Test
    void beginsAtTheLastCommitWhereTheWallIsBehindAndMovesAtItsSpeed() {
        var last = wall.instant().plus(HOUR);
        Clock clock = CommitClock.over(wall, last, Optional.empty());
        assertThat(clock.instant()).isEqualTo(last);

        wall.advance(Duration.ofSeconds(10));

        assertThat(clock.instant()).isEqualTo(last.plusSeconds(10));
    }

    @Test
    void countsTheTimeAwayWhereThatIsKnown() {
        var last = wall.instant().plus(HOUR);
        var continued = last.plusSeconds(20);

        assertThat(CommitClock.over(wall, last, Optional.of(continued)).instant())
                .isEqualTo(continued);
        assertThat(CommitClock.over(wall, last, Optional.of(last.minusSeconds(1)))
                        .instant())
                .isEqualTo(last);
        assertThat(CommitClock.over(
                                wall, wall.instant(), Optional.of(wall.instant().minus(HOUR)))
                        .instant())
                .isEqualTo(wall.instant());
    }

    @Test
    void startsOnceTheEarlierOneHasReachedItsPromise() {
        var now = wall.instant();

        assertThat(CommitClock.untilPromised(now.plusMillis(400), Optional.of(now)))
                .isEqualTo(Duration.ofMillis(400));
        assertThat(CommitClock.untilPromised(now.minusMillis(1), Optional.of(now)))
                .isEqualTo(Duration.ZERO);
        assertThat(CommitClock.untilPromised(now.plus(HOUR), Optional.of(now))).isEqualTo(Duration.ZERO);
        assertThat(CommitClock.untilPromised(now.plusMillis(400), Optional.empty()))
                .isEqualTo(Duration.ZERO);
    }
}
