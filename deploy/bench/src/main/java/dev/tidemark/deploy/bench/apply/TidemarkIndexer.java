package dev.tidemark.deploy.bench.apply;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.runtime.BoundedWait;

/**
 * Tidemark's worker, started with changes before it that it has not seen.
 *
 * @param changes that it has not seen
 */
record TidemarkIndexer(long changes, Worker worker, Clock clock) implements TopicIndexer {
    /** A look costs the worker some 20 ms of the time that is measured; the baselines time themselves. */
    private static final Duration STEP = Duration.ofSeconds(1);

    /** Near the end, which is to be seen when it comes. */
    private static final Duration SHORT_STEP = Duration.ofMillis(100);

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** The worker under measurement. */
    interface Worker {
        /** Begins to start it, with as much as it is to have already; the moment of that. */
        Instant begin() throws IOException, InterruptedException;

        /** Returns its metrics page; empty while the worker does not answer. */
        String metrics() throws InterruptedException;
    }

    /**
     * The rate counts from the last moment at which nothing had been read: what the worker reads ahead before it
     * applies counts as well.
     */
    @Override
    public Followed follow(Path scratch) throws BenchException, IOException, InterruptedException {
        Instant started = worker.begin();
        Instant began = started;
        Instant last = started;
        long applied = 0;
        while (applied < changes) {
            WorkerPage page = WorkerPage.of(worker.metrics());
            Instant now = clock.instant();
            began = page.reading() ? began : now;
            if (page.applied() > applied) {
                applied = page.applied();
                last = now;
                BoundedWait.rest(untilNextLook(Duration.between(began, now), applied));
            } else if (now.isAfter(started.plus(PATIENCE))) {
                throw new BenchException("the worker applied " + applied + " of " + changes + " changes within "
                        + PATIENCE.toMinutes() + " minutes");
            } else {
                BoundedWait.rest(SHORT_STEP);
            }
        }
        double perSecond = applied * 1e9 / Duration.between(began, last).toNanos();
        return new Followed(perSecond, Duration.between(started, last));
    }

    /** Half of what is left at the pace so far, since the pace grows and the end must not be missed. */
    private Duration untilNextLook(Duration sinceBegin, long applied) {
        Duration half = sinceBegin.multipliedBy(changes - applied).dividedBy(2 * applied);
        if (half.compareTo(SHORT_STEP) < 0) {
            return SHORT_STEP;
        }
        return half.compareTo(STEP) < 0 ? half : STEP;
    }
}
