package dev.tidemark.worker.shard;

import java.time.Instant;
import java.util.ArrayDeque;

import org.jspecify.annotations.Nullable;

import dev.tidemark.worker.apply.ChangeBatch;

/**
 * Batches on their way from the poll thread to an apply thread. Bounded by agreement: the poll thread pauses a
 * partition whose queue is full, and reserves the bytes of each batch, which are free again once the batch is done
 * with.
 *
 * <p>Every method holds the lock for a few instructions and none waits. A batch carries the number of the reading it
 * belongs to; {@link #restart} throws away what older readings left.
 */
final class ShardQueue {
    private static final int FULL = 4;
    private static final int LOW = 2;

    private final ArrayDeque<Batch> batches = new ArrayDeque<>();
    private long reading;

    /**
     * A batch, and when it came from Kafka.
     *
     * @param done run once it is applied or thrown away
     */
    record Batch(ChangeBatch batch, Instant polledAt, Runnable done) {}

    /** Hands over a batch; one of an older reading is dropped. */
    synchronized void offer(Batch queued, long ofReading) {
        if (ofReading == reading) {
            batches.add(queued);
        } else {
            queued.done().run();
        }
    }

    synchronized @Nullable Batch poll() {
        return batches.poll();
    }

    /** The number of the present reading. */
    synchronized long reading() {
        return reading;
    }

    /** Begins another reading and names it. */
    synchronized long restart() {
        batches.forEach(queued -> queued.done().run());
        batches.clear();
        return ++reading;
    }

    synchronized boolean isEmpty() {
        return batches.isEmpty();
    }

    synchronized boolean isFull() {
        return batches.size() >= FULL;
    }

    synchronized boolean isLow() {
        return batches.size() < LOW;
    }
}
