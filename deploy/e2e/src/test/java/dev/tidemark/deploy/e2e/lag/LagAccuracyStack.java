package dev.tidemark.deploy.e2e.lag;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

import dev.tidemark.deploy.e2e.guarantee.FreshnessComesBack;
import dev.tidemark.deploy.e2e.guarantee.LagNeverUnderReported;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.probe.Source;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.runtime.BoundedWait;

/** A stack of their own for the situations of one class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LagAccuracyStack {
    static final String TABLE = "canary";

    /** Numbers of each source that a situation judges at least. */
    /** How many numbers of each source are judged before and after; more with {@code -Dlag.judged=20}. */
    static final long ENOUGH = Long.getLong("lag.judged", 8);

    private final StackUnderTest stack;

    LagAccuracyStack(String name, UnaryOperator<StackSettings> settings) {
        try {
            stack = StackUnderTest.start(
                    "honesty-" + name,
                    usual -> settings.apply(usual.withCatalog(StackUnderTest.resource("/e2e/lag-accuracy.yaml"))));
        } catch (StackException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
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

    static void seconds(int seconds) throws InterruptedException {
        BoundedWait.rest(Duration.ofSeconds(seconds));
    }

    @AfterAll
    void end() {
        stack.close();
    }
}
