package dev.tidemark.runtime;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something that is read at intervals, and at once on request. While it cannot be read, the last value stays.
 */
public final class PolledValue<T> implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(PolledValue.class);

    /** Longest time that {@link #look()} waits: who asks needs an answer soon, even from what is known. */
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private static final Duration STEP = Duration.ofMillis(1);

    private final String roleName;
    private final Duration interval;
    private final Source<T> source;
    private final Clock clock;
    private final Runnable wakeUp;
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong asked = new AtomicLong();
    private volatile long ended;
    private volatile T latest;
    private Instant next = Instant.MIN;
    private boolean failing;

    /** Where it is read. */
    public interface Source<T> {
        /**
         * Reads it.
         *
         * @throws Exception when it cannot be read at the moment
         */
        T read() throws Exception;
    }

    /**
     * Nothing was read yet.
     *
     * @param first the value until then
     * @param wakeUp wakes the thread that runs this
     */
    public PolledValue(String roleName, Duration interval, Source<T> source, T first, Clock clock, Runnable wakeUp) {
        this.roleName = roleName;
        this.interval = interval;
        this.source = source;
        this.latest = first;
        this.clock = clock;
        this.wakeUp = wakeUp;
    }

    /** The value that was read last. For any thread. */
    public T get() {
        return latest;
    }

    /** Requests that it is read now. For any thread. */
    public void request() {
        requested();
    }

    private long requested() {
        long wanted = begun.get() + 1;
        asked.accumulateAndGet(wanted, Math::max);
        wakeUp.run();
        return wanted;
    }

    /** Requests that it is read now, and waits briefly for that. For any thread. */
    public void look() {
        long wanted = requested();
        try {
            BoundedWait.until(() -> ended >= wanted, PATIENCE, STEP);
        } catch (InterruptedException e) {
            // What was read last stays valid; the caller sees the interrupt.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String roleName() {
        return roleName;
    }

    @Override
    public int doWork() throws InterruptedException {
        Instant now = clock.instant();
        if (now.isBefore(next) && asked.get() <= begun.get()) {
            return 0;
        }
        next = now.plus(interval);
        long look = begun.incrementAndGet();
        try {
            latest = source.read();
            failing = false;
            return 1;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            if (!failing) {
                LOGGER.info("What thread {} reads cannot be read at the moment: {}", roleName, e.getMessage());
            }
            failing = true;
            return 0;
        } finally {
            ended = look;
        }
    }
}
