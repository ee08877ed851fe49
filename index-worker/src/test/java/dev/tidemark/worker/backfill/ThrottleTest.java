package dev.tidemark.worker.backfill;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.testkit.ChangeLog;

import static org.assertj.core.api.Assertions.assertThat;

class ThrottleTest {
    private static final Duration TARGET = Duration.ofSeconds(1);

    private Instant now = ChangeLog.START;

    @Test
    void keepsToTheSpeedThatIsAllowed() {
        Throttle throttle = new Throttle(1_000, TARGET, now);
        assertThat(copied(throttle, 10, Optional.of(Duration.ZERO))).isBetween(9_000L, 11_000L);
    }

    @Test
    void goesFasterWhileNothingSuffers() {
        Throttle throttle = new Throttle(0, TARGET, now);
        long first = copied(throttle, 1, Optional.of(Duration.ofMillis(100)));
        copied(throttle, 5, Optional.of(Duration.ofMillis(100)));
        assertThat(copied(throttle, 1, Optional.of(Duration.ofMillis(100)))).isGreaterThan(2 * first);
    }

    @Test
    void growsSteeplyOnlyWhileNothingSuffersAtAll() {
        Throttle easy = new Throttle(0, TARGET, now);
        copied(easy, 1, Optional.of(Duration.ofMillis(50)));
        Throttle busy = new Throttle(0, TARGET, now);
        copied(busy, 1, Optional.of(Duration.ofMillis(300)));
        assertThat(easy.rate()).isGreaterThan(2 * busy.rate());
        assertThat(busy.rate()).isGreaterThan(50_000);
    }

    @Test
    void staysCloseToWhatIsReallyCopied() {
        Throttle throttle = new Throttle(0, TARGET, now);
        for (int i = 0; i < 1_000; i++) {
            now = now.plusMillis(10);
            throttle.judge(Optional.empty(), now);
            // 60,000 a second, whatever the throttle would allow.
            for (int rows = 0; rows < 600; rows += 50) {
                throttle.pass(50, now);
            }
        }
        assertThat(throttle.rate()).isBetween(60_000.0, 95_000.0);
    }

    @Test
    void givesWayWhenAnswersGrowStaleAndStillComesToAnEnd() {
        Throttle throttle = new Throttle(0, TARGET, now);
        copied(throttle, 10, Optional.of(Duration.ofSeconds(3)));
        assertThat(throttle.rate()).isEqualTo(Throttle.LEAST);
        assertThat(throttle.step()).isEqualTo(50);
        assertThat(copied(throttle, 10, Optional.of(Duration.ofSeconds(3)))).isBetween(4_900L, 5_200L);
        assertThat(copied(throttle, 20, Optional.of(Duration.ofMillis(100)))).isGreaterThan(100_000);
    }

    @Test
    void takesLargerPiecesTheFasterItIsWhileAnswersAreFresh() {
        assertThat(new Throttle(9_000, TARGET, now).step()).isEqualTo(50);
        assertThat(new Throttle(40_000, TARGET, now).step()).isEqualTo(250);
        Throttle throttle = new Throttle(0, TARGET, now);
        assertThat(throttle.step()).isEqualTo(1_000);
        copied(throttle, 1, Optional.of(TARGET.dividedBy(10)));
        assertThat(throttle.step()).isEqualTo(250);
    }

    @Test
    void slowsDownBeforeTheTargetIsReached() {
        Throttle throttle = new Throttle(0, TARGET, now);
        double before = throttle.rate();
        copied(throttle, 1, Optional.of(Duration.ofMillis(700)));
        assertThat(throttle.rate()).isLessThan(before);
    }

    private long copied(Throttle throttle, int seconds, Optional<Duration> freshness) {
        long rows = 0;
        for (int i = 0; i < 100 * seconds; i++) {
            now = now.plusMillis(10);
            throttle.judge(freshness, now);
            while (throttle.pass(50, now)) {
                rows += 50;
            }
        }
        return rows;
    }
}
