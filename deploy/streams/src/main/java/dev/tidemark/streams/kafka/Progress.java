package dev.tidemark.streams.kafka;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** How far the topic has been processed, of which the ends are known. For any thread. */
final class Progress {
    private static final long NOT_YET = Long.MIN_VALUE;

    private final Map<Integer, Long> ends;
    private final CountDownLatch open;
    private final AtomicLong began = new AtomicLong(NOT_YET);
    private volatile long ended;

    /**
     * Nothing processed yet.
     *
     * @param ends for each partition with records the offset after the last one
     */
    Progress(Map<Integer, Long> ends) {
        this.ends = Map.copyOf(ends);
        this.open = new CountDownLatch(ends.size());
    }

    /** A record is about to be processed. */
    void begins() {
        if (began.get() == NOT_YET) {
            began.compareAndSet(NOT_YET, System.nanoTime());
        }
    }

    /** The record at that place has been processed. */
    void done(int partition, long offset) {
        if (offset + 1 == ends.getOrDefault(partition, 0L)) {
            ended = System.nanoTime();
            open.countDown();
        }
    }

    /** Waits for the last record; how many nanoseconds it was after the first one. */
    long await() throws InterruptedException {
        open.await();
        return ended - began.get();
    }
}
