package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.deploy.e2e.load.SteadyLoad;
import dev.tidemark.deploy.e2e.meters.MetricsPage;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.BoundedWait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** While the worker is away, the writer tells how stale the indexes are; after it is back, they catch up unasked. */
@ExtendWith(SharedStack.class)
@TakesTurns(turn = 2, of = 3)
class StoppedWorkerIT {
    private static final String TABLE = "stopped_people";
    private static final String FRESHNESS = "tidemark_index_freshness_seconds";
    /** The last words of the worker may take that long to be heard. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private static final Duration AWAY = Duration.ofSeconds(5);
    private static final Duration STEP = Duration.ofMillis(250);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final StackUnderTest stack;

    StoppedWorkerIT(StackUnderTest stack) {
        this.stack = stack;
    }

    @Test
    void freshnessRisesWhileTheWorkerIsSuspendedAndFallsWhenItGoesOn() throws Exception {
        try (SteadyLoad load = SteadyLoad.start(TABLE, stack.facts(), 1)) {
            awaitFresh();
            stack.child(Role.WORKER).suspend();
            try {
                requireRising();
            } finally {
                stack.child(Role.WORKER).resume();
            }
            awaitFresh();
            load.stop();
        }
        stack.settle(TABLE);
    }

    @Test
    void freshnessRisesWhileTheWorkerIsDeadAndFallsWhenItIsStartedAgain() throws Exception {
        try (SteadyLoad load = SteadyLoad.start(TABLE + "_too", stack.facts(), 2)) {
            awaitFresh();
            stack.kill(Role.WORKER);
            try {
                requireRising();
            } finally {
                stack.startAgain(Role.WORKER);
            }
            awaitFresh();
            load.stop();
        }
        stack.settle(TABLE + "_too");
    }

    /** Every reading is higher than the one before, and none says less than the worker has been away. */
    private void requireRising() throws IOException, InterruptedException {
        Instant left = stack.clock().instant();
        BoundedWait.rest(LAST_WORDS);
        List<Double> readings = new ArrayList<>();
        Instant end = stack.clock().instant().plus(AWAY);
        while (stack.clock().instant().isBefore(end)) {
            double least = seconds(Duration.between(left, stack.clock().instant()));
            OptionalDouble reading = freshness(stack.facts().metrics());
            assertThat(reading).as("freshness by the writer").isPresent();
            assertThat(reading.getAsDouble()).isGreaterThanOrEqualTo(least - 0.1);
            readings.add(reading.getAsDouble());
            BoundedWait.rest(STEP);
        }
        assertThat(readings).hasSizeGreaterThan(3).isSorted().doesNotHaveDuplicates();
    }

    private void awaitFresh() {
        await().atMost(PATIENCE).pollInterval(STEP).ignoreExceptions().untilAsserted(() -> {
            assertThat(freshness(stack.facts().metrics()).orElse(99))
                    .as("by the writer")
                    .isLessThan(1.0);
            assertThat(freshness(stack.indexes().metrics()).orElse(99))
                    .as("by the worker")
                    .isLessThan(1.0);
        });
    }

    private static OptionalDouble freshness(MetricsPage page) {
        return page.largest(FRESHNESS, "table", TABLE);
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1_000.0;
    }
}
