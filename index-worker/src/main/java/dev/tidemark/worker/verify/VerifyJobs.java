package dev.tidemark.worker.verify;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Takes orders for the verify thread, and remembers the last of them. In memory only. For any thread. */
public final class VerifyJobs {
    /** Most orders that wait. */
    public static final int MOST_WAITING = 16;

    private static final int REMEMBERED = 100;

    /** Bytes of what was found by all jobs that are remembered, beside the last. */
    private static final long REMEMBERED_BYTES = 8L << 20;

    private final Map<String, VerifyJob> jobs = new LinkedHashMap<>();
    private final Deque<VerifyJob> waiting = new ArrayDeque<>();
    private long number;

    /**
     * Has no job yet.
     *
     * @param last a number that no earlier process has given to a job, nor a larger one: who still asks for a job of
     *     before does not get another
     */
    public VerifyJobs(long last) {
        this.number = last;
    }

    /** Takes an order; empty when {@value #MOST_WAITING} wait already. */
    public synchronized Optional<VerifyJob> submit(VerifySpec order) {
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

    /** Whether a job waits. */
    synchronized boolean isWaited() {
        return !waiting.isEmpty();
    }

    /** The order to carry out next. */
    synchronized Optional<VerifyJob> take() {
        forgetOldest();
        return Optional.ofNullable(waiting.poll());
    }

    private void forgetOldest() {
        long bytes =
                jobs.values().stream().mapToLong(job -> job.state().bytes()).sum();
        Iterator<VerifyJob> oldest = jobs.values().iterator();
        for (int left = jobs.size(); left > 1 && (jobs.size() > REMEMBERED || bytes > REMEMBERED_BYTES); left--) {
            JobState state = oldest.next().state();
            if (state.isOver()) {
                oldest.remove();
                bytes -= state.bytes();
            }
        }
    }
}
