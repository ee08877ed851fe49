package dev.tidemark.deploy.e2e.lag;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.e2e.guarantee.FreshnessComesBack;
import dev.tidemark.deploy.e2e.guarantee.LagNeverUnderReported;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.probe.Source;
import dev.tidemark.runtime.BoundedWait;

/** The situations of one kind, on the stack of all, and so after those of the other kinds. */
@Execution(ExecutionMode.SAME_THREAD)
abstract class LagAccuracyStack {
    static final String TABLE = "canary";

    /** How many numbers of each source are judged before and after; more with {@code -Dlag.judged=20}. */
    static final long ENOUGH = Long.getLong("lag.judged", 3);

    /** How many times as long a situation lasts. */
    private static final int TIMES = Integer.getInteger("lag.times", 1);

    private final StackUnderTest stack;

    LagAccuracyStack(StackUnderTest stack) {
        this.stack = stack;
    }

    StackUnderTest stack() {
        return stack;
    }

    /** Watches writer and worker, from when everything is well. */
    LagNeverUnderReported watch(String situation) throws InterruptedException {
        awaitFresh();
        LagNeverUnderReported watch = LagNeverUnderReported.watch(situation, writerUrl(), workerUrl());
        watch.awaitJudged(ENOUGH, Source.values());
        return watch;
    }

    /** Everything says by itself that it is less than a second behind. */
    void awaitFresh() {
        new FreshnessComesBack(stack.facts(), List.of(stack.indexes())).check(TABLE);
    }

    URI writerUrl() {
        return stack.stack().writerUrl();
    }

    URI workerUrl() {
        return stack.stack().workerUrl();
    }

    /** How many seconds a situation lasts that needs so many; more with {@code -Dlag.times=2}. */
    static int lasting(int seconds) {
        return seconds * TIMES;
    }

    static void seconds(int seconds) throws InterruptedException {
        BoundedWait.rest(Duration.ofSeconds(seconds));
    }
}
