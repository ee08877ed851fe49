package dev.tidemark.deploy.e2e.lag;

import java.util.EnumSet;
import java.util.Set;

import dev.tidemark.deploy.e2e.guarantee.LagNeverUnderReported;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.probe.ProbeReport;
import dev.tidemark.deploy.probe.Source;
import dev.tidemark.deploy.stack.Role;

import static org.assertj.core.api.Assertions.assertThat;

/** The worker hangs, or is gone. */
abstract class WorkerAwayLagAccuracy extends LagAccuracyStack {
    private static final int SUSPENDED_SECONDS = lasting(10);
    private static final int GONE_SECONDS = lasting(7);
    private static final Set<Source> LEFT = EnumSet.of(Source.WRITER_FRESHNESS);

    WorkerAwayLagAccuracy(StackUnderTest stack) {
        super(stack);
    }

    /**
     * Long enough to be thrown out of its group: what it says when it goes on must be true, too. One prober ends while
     * the worker hangs: nothing can have become visible then, while the first answer after it may show that all is
     * there.
     */
    @Situation
    void suspendedAndContinued() throws Exception {
        try (LagNeverUnderReported during = watch("worker suspended");
                LagNeverUnderReported after = watch("worker suspended and continued")) {
            stack().child(Role.WORKER).suspend();
            try {
                seconds(SUSPENDED_SECONDS);
                ProbeReport report = during.check(ENOUGH, LEFT);
                assertThat(report.worstTruth()).isGreaterThan(SUSPENDED_SECONDS / 2.0);
            } finally {
                stack().child(Role.WORKER).resume();
            }
            awaitFresh();
            after.awaitJudged(ENOUGH, Source.values());
            after.check(ENOUGH);
        }
    }

    /** Nobody starts it again while the prober watches: the last numbers must not stay green. */
    @Situation
    void killedAndGone() throws Exception {
        try (LagNeverUnderReported watch = watch("worker killed and gone")) {
            ProbeReport before = watch.soFar();
            stack().kill(Role.WORKER);
            seconds(GONE_SECONDS);
            ProbeReport report = watch.check(ENOUGH, LEFT);
            assertThat(report.worstTruth()).isGreaterThan(GONE_SECONDS / 2.0);
            assertThat(report.source(Source.WRITER_FRESHNESS).judged())
                    .as("numbers of the writer while the worker was gone")
                    .isGreaterThan(before.source(Source.WRITER_FRESHNESS).claims() + ENOUGH);
        } finally {
            stack().startAgain(Role.WORKER);
        }
        awaitFresh();
    }

    /** What it says of its first moments, while it does not know what it missed. */
    @Situation
    void killedAndStartedAgain() throws Exception {
        try (LagNeverUnderReported watch = watch("worker killed and started again")) {
            stack().kill(Role.WORKER);
            stack().startAgain(Role.WORKER);
            awaitFresh();
            watch.awaitJudged(ENOUGH, Source.values());
            watch.check(ENOUGH);
        }
    }
}
