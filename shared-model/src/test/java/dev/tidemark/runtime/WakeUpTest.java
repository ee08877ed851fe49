package dev.tidemark.runtime;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WakeUpTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final WakeUp wakeUp = new WakeUp();

    @Test
    void aRingBeforeTheRestIsNotMissed() throws InterruptedException {
        wakeUp.ring();
        wakeUp.ring();

        wakeUp.rest(LONG);
    }

    @Test
    void restsNoLongerThanItIsAllowed() throws InterruptedException {
        wakeUp.rest(Duration.ofMillis(1));
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
            assertThat(runner.close(Duration.ofSeconds(5))).isTrue();
        }
    }
}
