package dev.tidemark.deploy.e2e.lag;

import java.time.Duration;

import dev.tidemark.deploy.e2e.guarantee.LagNeverUnderReported;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.probe.Source;
import dev.tidemark.deploy.stack.Role;

/** The system clock of one process is wrong by an hour. What is judged begins before its start and ends after it. */
abstract class ClockLagAccuracy extends LagAccuracyStack {
    private static final Duration HOUR = Duration.ofHours(1);

    ClockLagAccuracy(StackUnderTest stack) {
        super(stack);
    }

    @Situation
    void clockOfTheWorker() throws Exception {
        check(Role.WORKER);
    }

    @Situation
    void clockOfTheWriter() throws Exception {
        check(Role.WRITER);
    }

    private void check(Role role) throws Exception {
        try {
            check(role, HOUR, "an hour ahead");
            check(role, HOUR.negated(), "an hour behind");
        } finally {
            if (stack().child(role).isAlive()) {
                stack().terminate(role);
            }
            stack().startAgain(role, Duration.ZERO);
        }
    }

    private void check(Role role, Duration offset, String wrong) throws Exception {
        try (LagNeverUnderReported watch = watch("clock of the " + role.label() + " " + wrong)) {
            stack().terminate(role);
            stack().startAgain(role, offset);
            awaitFresh();
            watch.awaitJudged(2 * ENOUGH, Source.values());
            watch.check(2 * ENOUGH);
        }
    }
}
