package dev.tidemark.worker.verify;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

import dev.tidemark.runtime.BoundedWait;

/** Real waiting, and rests after each stretch of work as long as a pass is only in the background. */
final class BackgroundPacer implements Pacer {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration STEP = Duration.ofMillis(10);

    /** Nine parts of rest for one of work. */
    private static final int REST_PER_WORK = 9;

    /** A pass keeps its views while it rests, and a shard that is closed waits for them. */
    private static final Duration LONGEST_REST = Duration.ofSeconds(1);

    private final Clock clock;
    private final BooleanSupplier background;
    private Instant resumed;

    BackgroundPacer(Clock clock, BooleanSupplier background) {
        this.clock = clock;
        this.background = background;
        this.resumed = clock.instant();
    }

    @Override
    public boolean until(BooleanSupplier condition) throws InterruptedException {
        return BoundedWait.until(condition, PATIENCE, STEP);
    }

    @Override
    public void worked() throws InterruptedException {
        if (background.getAsBoolean()) {
            Duration work = Duration.between(resumed, clock.instant());
            Duration rest = work.multipliedBy(REST_PER_WORK);
            BoundedWait.rest(rest.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : rest);
        } else if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while verifying");
        }
        resumed = clock.instant();
    }
}
