package dev.tidemark.worker.clocks;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.ManualClock;

import static org.assertj.core.api.Assertions.assertThat;

class ClockAgentTest {
    private final ManualClock clock = new ManualClock();
    private final WriterClockEstimator estimate = new WriterClockEstimator(clock.instant());
    private final ClockAgent agent = new ClockAgent(estimate, this::ask, clock);
    private boolean away;
    private int asked;

    @Test
    void asksAtOnceAndThenNowAndAgain() throws Exception {
        assertThat(agent.doWork()).isEqualTo(1);
        assertThat(estimate.skew()).contains(Duration.ofHours(1));

        clock.advance(Duration.ofMillis(1_999));
        assertThat(agent.doWork()).isZero();
        clock.advance(Duration.ofMillis(1));
        assertThat(agent.doWork()).isEqualTo(1);
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void asksMoreOftenWhileNobodyAnswers() throws Exception {
        away = true;
        agent.doWork();

        clock.advance(Duration.ofMillis(200));

        assertThat(agent.doWork()).isEqualTo(1);
    }

    @Test
    void asksSoonWhenATimeHasComeFromTheFuture() throws Exception {
        agent.doWork();
        estimate.seen(clock.instant().plus(Duration.ofHours(3)), clock.instant());

        clock.advance(Duration.ofMillis(200));

        assertThat(agent.doWork()).isEqualTo(1);
        assertThat(estimate.isInDoubt()).isFalse();
    }

    @Test
    void aWriterThatIsAwayIsWaitedForWhileThisProcessRuns() throws Exception {
        away = true;
        agent.doWork();

        // The process is stopped, and goes on a day later; nobody has asked meanwhile.
        clock.advance(Duration.ofDays(1));
        assertThat(estimate.isKnown()).isFalse();
        agent.doWork();
        assertThat(estimate.isKnown()).isFalse();

        for (int i = 0; i < 50; i++) {
            clock.advance(Duration.ofMillis(200));
            agent.doWork();
        }
        assertThat(estimate.isKnown()).isTrue();
    }

    private Optional<ClockReading> ask(Clock local) {
        asked++;
        Instant now = local.instant();
        return away
                ? Optional.empty()
                : Optional.of(new ClockReading(now, now, now.plus(Duration.ofHours(1)), "a", Optional.empty()));
    }
}
