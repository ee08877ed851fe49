package dev.tidemark.worker.verify;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Takes orders for the verify thread, and remembers the last of them. In memory only. For any thread. */
public final class VerifyDesk {
    /** Most orders that wait. */
    public static final int MOST_WAITING = 16;

    private static final int REMEMBERED = 100;

    private final Map<String, VerifyJob> jobs = new LinkedHashMap<>();
    private final Deque<VerifyJob> waiting = new ArrayDeque<>();
    private long number;

    /** Takes an order; empty when {@value #MOST_WAITING} wait already. */
    public synchronized Optional<VerifyJob> submit(VerifyOrder order) {
        if (waiting.size() >= MOST_WAITING) {
            return Optional.empty();
        }
        VerifyJob job = new VerifyJob(Long.toString(++number), order);
        jobs.put(job.id(), job);
        waiting.add(job);
        forgetOldest();
        return Optional.of(job);
    }

    /** The job of that name; empty when there is none, or it was long ago. */
    public synchronized Optional<VerifyJob> find(String id) {
        return Optional.ofNullable(jobs.get(id));
    }

    /** Whether somebody waits. */
    synchronized boolean isWaited() {
        return !waiting.isEmpty();
    }

    /** The order to carry out next. */
    synchronized Optional<VerifyJob> take() {
        return Optional.ofNullable(waiting.poll());
    }

    private void forgetOldest() {
        Iterator<VerifyJob> oldest = jobs.values().iterator();
        while (jobs.size() > REMEMBERED && oldest.hasNext()) {
            if (oldest.next().state().isOver()) {
                oldest.remove();
            }
        }
    }
}
