package dev.tidemark.worker.shard;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/** Limits the number of requests that wait for progress, so that requests that need not wait still find a thread. */
public final class WaiterLimit {
    private final ProgressSignal progressSignal;
    private final Semaphore places;

    /** A place of one request. To be closed once. */
    @FunctionalInterface
    public interface Place extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Creates a limit with all places free.
     *
     * @param progressSignal wakes the requests that wait
     * @param places maximum number of requests that may wait at a time; further ones are refused
     */
    public WaiterLimit(ProgressSignal progressSignal, int places) {
        this.progressSignal = progressSignal;
        this.places = new Semaphore(places);
    }

    /** A place for a request that waits for something other than progress; empty at once when every one is taken. */
    public Optional<Place> take() {
        return places.tryAcquire() ? Optional.of(places::release) : Optional.empty();
    }

    /**
     * Waits until a condition holds or the time is over.
     *
     * @param condition looked at by the waiting thread after each ring
     * @return false at once when every place is taken
     */
    public boolean await(BooleanSupplier condition, Duration patience) throws InterruptedException {
        if (!places.tryAcquire()) {
            return false;
        }
        try {
            progressSignal.await(condition, patience);
            return true;
        } finally {
            places.release();
        }
    }
}
