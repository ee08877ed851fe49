package dev.tidemark.streams.kafka;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** How far a topic of at most {@value #PARTITIONS} partitions has been processed. For any thread. */
final class ProcessingProgress {
    private static final int PARTITIONS = 64;
    private static final long NOT_YET = Long.MIN_VALUE;
    private static final long STEP_MILLIS = 1;

    private final AtomicLong began = new AtomicLong(NOT_YET);
    private final AtomicLongArray next = new AtomicLongArray(PARTITIONS);

    /** A record is about to be processed. */
    void begins() {
        if (began.get() == NOT_YET) {
            began.compareAndSet(NOT_YET, System.nanoTime());
        }
    }

    /** The record at that place has been processed. */
    void done(int partition, long offset) {
        next.lazySet(partition, offset + 1);
    }

    /**
     * Waits until these ends are reached, to the millisecond.
     *
     * @param ends for each partition the offset after the last record
     * @return how many nanoseconds it was from the first record to then
     */
    long await(Map<Integer, Long> ends) throws InterruptedException {
        while (!ends.entrySet().stream().allMatch(end -> next.get(end.getKey()) >= end.getValue())) {
            Thread.sleep(STEP_MILLIS);
        }
        return System.nanoTime() - began.get();
    }
}
