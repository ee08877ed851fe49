package dev.tidemark.worker.shard;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.testkit.ManualClock;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseTest {
    private static final Duration STEP = Duration.ofMillis(100);

    private final ManualClock clock = new ManualClock();
    private final Lease lease = new Lease(Duration.ofSeconds(6), clock);

    @Test
    void speaksWhileItRunsAndIsConfirmed() {
        for (int i = 0; i < 200; i++) {
            run(Duration.ofMillis(500));
            lease.confirmed(clock.instant());
            assertThat(lease.refusal()).isEmpty();
        }
    }

    @Test
    void keepsSpeakingWhenTheBrokersAreAway() {
        run(Duration.ofHours(1));

        assertThat(lease.refusal()).isEmpty();
    }

    @Test
    void isSilentAfterALongPauseEvenBeforeThePollThreadHasNoticed() {
        clock.advance(Duration.ofMillis(6_001));

        assertThat(lease.refusal()).hasValueSatisfying(why -> assertThat(why).contains("lease of 6000 ms"));
    }

    @Test
    void isSilentUntilAQuestionAskedAfterThePauseIsAnswered() {
        Instant before = clock.instant();
        clock.advance(Duration.ofSeconds(20));
        lease.beat();
        assertThat(lease.refusal()).isPresent();

        lease.confirmed(before);
        run(Duration.ofSeconds(1));
        assertThat(lease.refusal()).isPresent();

        lease.confirmed(clock.instant());
        assertThat(lease.refusal()).isEmpty();
    }

    @Test
    void aPauseOfExactlyTheLeaseIsNotTooLong() {
        clock.advance(Duration.ofSeconds(6));

        assertThat(lease.refusal()).isEmpty();
    }

    @Test
    void whatCountsIsTheLastWordOfTheGroupNotTheLengthOfThePause() {
        run(Duration.ofSeconds(3));

        clock.advance(Duration.ofMillis(3_500));

        assertThat(lease.refusal()).isPresent();
        lease.beat();
        assertThat(lease.refusal()).isPresent();
    }

    @Test
    void aShortPauseIsForgivenWhileTheLastWordIsYoung() {
        run(Duration.ofSeconds(1));
        lease.confirmed(clock.instant());

        clock.advance(Duration.ofSeconds(5));

        assertThat(lease.refusal()).isEmpty();
        lease.beat();
        assertThat(lease.refusal()).isEmpty();
    }

    @Test
    void aShortPauseInALongOutageOfTheBrokersIsForgiven() {
        run(Duration.ofMinutes(10));

        clock.advance(Duration.ofSeconds(4));
        lease.beat();

        assertThat(lease.refusal()).isEmpty();
    }

    @Test
    void aLongPauseInAnOutageIsNotForgivenUntilTheBrokersAreBack() {
        run(Duration.ofMinutes(10));
        clock.advance(Duration.ofSeconds(7));
        run(Duration.ofMinutes(10));
        assertThat(lease.refusal()).isPresent();

        lease.confirmed(clock.instant());

        assertThat(lease.refusal()).isEmpty();
    }

    @Test
    void isSilentAfterTheMachineWasSuspendedWhoseTimerStoodStill() {
        Lease onThatMachine = new Lease(Duration.ofSeconds(6), new SteadyClock(clock, () -> 0));
        onThatMachine.beat();

        clock.advance(Duration.ofMinutes(10));

        assertThat(onThatMachine.refusal()).isPresent();
        onThatMachine.beat();
        onThatMachine.confirmed(clock.instant().minusSeconds(1));
        assertThat(onThatMachine.refusal()).isPresent();
        onThatMachine.confirmed(clock.instant());
        assertThat(onThatMachine.refusal()).isEmpty();
    }

    @Test
    void aWallClockThatIsSetBackSilencesNothing() {
        Lease onThatMachine = new Lease(Duration.ofSeconds(6), new SteadyClock(clock, () -> 0));

        clock.advance(Duration.ofHours(-1));
        onThatMachine.beat();

        assertThat(onThatMachine.refusal()).isEmpty();
    }

    private void run(Duration time) {
        Instant end = clock.instant().plus(time);
        while (clock.instant().isBefore(end)) {
            clock.advance(STEP);
            lease.beat();
        }
    }
}
