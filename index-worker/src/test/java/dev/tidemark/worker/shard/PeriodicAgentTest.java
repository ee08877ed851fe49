package dev.tidemark.worker.shard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.worker.advise.Advisor;

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

    @Test
    void countersOfGenerationsThatAreGoneAreForgottenWithoutAScrape() {
        Advisor.Meters meters = Advisor.Meters.atZero();
        meters.usage().answered(7, false);
        Definitions without = new Definitions(9, Instant.EPOCH, List.of(), 99);
        PeriodicAgent agent = agent(() -> meters.retain(without, List.of()));

        clock.advance(Duration.ofMinutes(1));
        agent.doWork();

        assertThat(meters.usage().of(7, Duration.ZERO).queries()).isZero();
    }

    private PeriodicAgent agent(Runnable... steps) {
        return new PeriodicAgent("tidy", Duration.ofMinutes(1), Duration.ofMinutes(1), List.of(steps), clock);
    }
}
