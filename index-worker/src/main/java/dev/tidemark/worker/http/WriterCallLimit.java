package dev.tidemark.worker.http;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.LongConsumer;

/**
 * How many may wait for the writer at a time, so that a writer that is slow does not take every thread. For any thread.
 */
public final class WriterCallLimit {
    /** Why a request is refused that finds no place. */
    static final String ALL_TAKEN = "too many requests wait for the writer already";

    private final Semaphore places;
    private final Clock clock;

    /**
     * Creates a limit with all places free.
     *
     * @param places maximum number of turns at a time
     * @param clock measures the time of a turn
     */
    public WriterCallLimit(int places, Clock clock) {
        this.places = new Semaphore(places);
        this.clock = clock;
    }

    /** A place until the turn is closed; empty at once when none is free. */
    Optional<Turn> take(Duration patience) {
        return take(patience, bytes -> {});
    }

    /**
     * Takes a place for a caller that has not reserved memory for what it reads.
     *
     * @param memory reserves a number of bytes before they are read, or throws
     */
    Optional<Turn> take(Duration patience, LongConsumer memory) {
        return places.tryAcquire() ? Optional.of(new Turn(clock.instant().plus(patience), memory)) : Optional.empty();
    }

    /** A turn of a caller that asks the writer from one thread alone. */
    static Turn alone(Duration patience, Clock clock) {
        return new WriterCallLimit(1, clock).take(patience).orElseThrow();
    }

    /** The time in which one request may ask the writer, once or several times. Belongs to one thread. */
    final class Turn implements AutoCloseable {
        private final Instant end;
        private final LongConsumer memory;

        private Turn(Instant end, LongConsumer memory) {
            this.end = end;
            this.memory = memory;
        }

        /** Reserves memory, in bytes, for data that is about to be read or made of what was read, or throws. */
        void reserve(long bytes) {
            memory.accept(bytes);
        }

        /** What is left of it; zero when it is over. */
        Duration left() {
            Duration left = Duration.between(clock.instant(), end);
            return left.isNegative() ? Duration.ZERO : left;
        }

        /** To be closed once. */
        @Override
        public void close() {
            places.release();
        }
    }
}
