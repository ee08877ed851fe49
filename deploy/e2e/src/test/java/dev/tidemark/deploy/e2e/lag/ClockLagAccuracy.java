package dev.tidemark.deploy.e2e.lag;

import java.time.Duration;

import dev.tidemark.deploy.e2e.guarantee.LagNeverUnderReported;
import dev.tidemark.deploy.probe.Source;
import dev.tidemark.deploy.stack.Role;

/** The system clock of one process is wrong by an hour. What is judged begins before its start and ends after it. */
abstract class ClockLagAccuracy extends LagAccuracyStack {
    private static final Duration HOUR = Duration.ofHours(1);

    ClockLagAccuracy() {
        super("clocks", settings -> settings);
    }

    @Situation
    void workerAnHourAhead() throws Exception {
        check(Role.WORKER, HOUR, "worker's clock an hour ahead");
    }

    @Situation
    void workerAnHourBehind() throws Exception {
        check(Role.WORKER, HOUR.negated(), "worker's clock an hour behind");
    }

    @Situation
    void writerAnHourAhead() throws Exception {
        check(Role.WRITER, HOUR, "writer's clock an hour ahead");
    }

    @Situation
    void writerAnHourBehind() throws Exception {
        check(Role.WRITER, HOUR.negated(), "writer's clock an hour behind");
    }

    private void check(Role role, Duration offset, String situation) throws Exception {
        try (LagNeverUnderReported watch = watch(situation)) {
            stack().terminate(role);
            stack().startAgain(role, offset);
            awaitFresh();
            watch.awaitJudged(2 * ENOUGH, Source.values());
            watch.check(2 * ENOUGH);
        } finally {
            if (stack().child(role).isAlive()) {
                stack().terminate(role);
            }
            stack().startAgain(role, Duration.ZERO);
        }
    }
}
