package dev.tidemark.runtime;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** A rest that nothing ends is so long that the time limit interrupts it. */
@Timeout(30)
class WakeupSignalTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final WakeupSignal wakeUp = new WakeupSignal();

    @Test
    void aRingBeforeTheRestIsNotMissed() throws InterruptedException {
        wakeUp.ring();
        wakeUp.ring();

        assertThat(timeToRest(LONG)).isLessThan(LONG);
        assertThat(timeToRest(SHORT)).as("rings end one rest").isGreaterThanOrEqualTo(SHORT);
    }

    @Test
    void restsAsLongAsItIsAllowed() throws InterruptedException {
        assertThat(timeToRest(SHORT)).isBetween(SHORT, LONG);
    }

    @Test
    void endsTheRestOfAnAgent() throws InterruptedException {
        CountDownLatch steps = new CountDownLatch(3);
        Agent agent = new Agent() {
            @Override
            public String roleName() {
                return "rests-long";
            }

            @Override
            public int doWork() {
                steps.countDown();
                return 0;
            }
        };
        try (AgentRunner runner = AgentRunner.start(agent, LONG, wakeUp)) {
            assertThat(runner.failure()).isEmpty();
            while (!steps.await(10, TimeUnit.MILLISECONDS)) {
                wakeUp.ring();
            }
            assertThat(runner.close(Duration.ofSeconds(1))).isTrue();
        }
    }

    private Duration timeToRest(Duration atMost) throws InterruptedException {
        long start = System.nanoTime();
        wakeUp.rest(atMost);
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
