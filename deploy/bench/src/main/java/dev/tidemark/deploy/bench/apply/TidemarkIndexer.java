package dev.tidemark.deploy.bench.apply;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.runtime.BoundedWait;

/** Tidemark's worker, started with changes before it that it has not seen. */
public final class TidemarkIndexer implements TopicIndexer {
    /** A look costs the worker some 20 ms of the time that is measured; the peers time themselves. */
    private static final Duration STEP = Duration.ofSeconds(1);

    /** Near the end, which is to be seen when it comes. */
    private static final Duration SHORT_STEP = Duration.ofMillis(100);

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final long changes;
    private final Worker worker;
    private final Clock clock;

    /** The worker under measurement. */
    public interface Worker {
        /** Begins to start it, with as much as it is to have already; the moment of that. */
        Instant begin() throws IOException, InterruptedException;

        /** Returns its metrics page; empty while the worker does not answer. */
        String metrics() throws InterruptedException;
    }

    /**
     * A follower.
     *
     * @param changes that it has not seen
     */
    public TidemarkIndexer(long changes, Worker worker, Clock clock) {
        this.changes = changes;
        this.worker = worker;
        this.clock = clock;
    }

    @Override
    public Followed follow(Path scratch) throws BenchException, IOException, InterruptedException {
        Instant started = worker.begin();
        Instant end = started.plus(PATIENCE);
        Instant began = beforeReading(started, end);
        Sample last = new Sample(0, began);
        while (last.applied() < changes) {
            BoundedWait.rest(untilNextLook(began, last));
            last = next(last, end);
        }
        double perSecond =
                last.applied() * 1e9 / Duration.between(began, last.at()).toNanos();
        return new Followed(perSecond, Duration.between(started, last.at()));
    }

    /** Half of what is left at the pace so far, since the pace grows and the end must not be missed. */
    private Duration untilNextLook(Instant began, Sample last) {
        if (last.applied() == 0) {
            return SHORT_STEP;
        }
        Duration left = Duration.between(began, last.at())
                .multipliedBy(changes - last.applied())
                .dividedBy(last.applied());
        Duration half = left.dividedBy(2);
        if (half.compareTo(SHORT_STEP) < 0) {
            return SHORT_STEP;
        }
        return half.compareTo(STEP) < 0 ? half : STEP;
    }

    /** The last moment at which it had not read anything yet: what it reads ahead before it applies counts as well. */
    private Instant beforeReading(Instant started, Instant end) throws BenchException, InterruptedException {
        Instant before = started;
        while (!WorkerPage.of(worker.metrics()).reading()) {
            before = clock.instant();
            giveUpAfter(end, 0);
            BoundedWait.rest(SHORT_STEP);
        }
        return before;
    }

    private void giveUpAfter(Instant end, long applied) throws BenchException {
        if (clock.instant().isAfter(end)) {
            throw new BenchException("the worker applied " + applied + " of " + changes + " changes within "
                    + PATIENCE.toMinutes() + " minutes");
        }
    }

    /** The first sample that has more. */
    private Sample next(Sample before, Instant end) throws BenchException, InterruptedException {
        while (true) {
            long applied = WorkerPage.of(worker.metrics()).applied();
            Instant now = clock.instant();
            if (applied > before.applied()) {
                return new Sample(applied, now);
            }
            giveUpAfter(end, before.applied());
            BoundedWait.rest(SHORT_STEP);
        }
    }

    private record Sample(long applied, Instant at) {}
}
