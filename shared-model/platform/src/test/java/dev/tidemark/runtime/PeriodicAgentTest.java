package dev.tidemark.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.ManualClock;

import static org.assertj.core.api.Assertions.assertThat;

class PeriodicAgentTest {
    private final ManualClock clock = new ManualClock();
    private final List<String> done = new ArrayList<>();

    @Test
    void tidiesUpOnceAMinute() {
        PeriodicAgent agent = agent(() -> done.add("a step"));
        assertThat(agent.doWork()).isZero();
        assertThat(done).as("while the process starts").isEmpty();

        clock.advance(Duration.ofMinutes(1));
        assertThat(agent.doWork()).isPositive();
        assertThat(agent.doWork()).isZero();
        assertThat(done).hasSize(1);
    }

    @Test
    void aStepThatFailsLeavesTheOthers() {
        PeriodicAgent agent = agent(
                () -> {
                    throw new IllegalStateException("the disk is away");
                },
                () -> done.add("the other step"));
        clock.advance(Duration.ofMinutes(1));
        agent.doWork();
        clock.advance(Duration.ofMinutes(1));
        agent.doWork();

        assertThat(done).hasSize(2);
    }

    private PeriodicAgent agent(Runnable... steps) {
        return new PeriodicAgent("tidy", Duration.ofMinutes(1), Duration.ofMinutes(1), List.of(steps), clock);
    }
}
