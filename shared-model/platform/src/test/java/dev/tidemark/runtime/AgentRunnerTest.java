package dev.tidemark.runtime;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class AgentRunnerTest {
    private final AtomicInteger steps = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    @Test
    void stepsUntilClosedAndClosesTheAgentOnce() {
        AgentRunner runner = AgentRunner.start(agent(Integer.MAX_VALUE), Duration.ofMillis(1));
        await().until(() -> steps.get() > 3);

        assertThat(runner.close(Duration.ofSeconds(5))).isTrue();

        assertThat(closed).hasValue(1);
        assertThat(runner.failure()).isEmpty();
    }

    @Test
    void keepsTheFailureOfAnAgentThatThrows() {
        try (AgentRunner runner = AgentRunner.start(agent(3), Duration.ofMillis(1))) {
            await().until(() -> runner.failure().isPresent());

            assertThat(runner.failure().orElseThrow()).hasMessage("step 3");
            await().untilAsserted(() -> assertThat(closed).hasValue(1));
        }
    }

    private Agent agent(int failAt) {
        return new Agent() {
            @Override
            public String roleName() {
                return "stepper";
            }

            @Override
            public int doWork() {
                assertThat(Thread.currentThread().getName()).isEqualTo("stepper");
                if (steps.incrementAndGet() == failAt) {
                    throw new IllegalStateException("step " + failAt);
                }
                return 0;
            }

            @Override
            public void onClose() {
                closed.incrementAndGet();
            }
        };
    }
}
