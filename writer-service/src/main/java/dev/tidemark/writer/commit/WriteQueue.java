package dev.tidemark.writer.commit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.BoundedWait;

/**
 * Requests on their way to the committer, bounded in number and bytes. Many threads offer, one takes. Space is given
 * back when a request is done, not when it is taken, so that the bounds hold for what the committer works on too.
 */
final class WriteQueue {
    /** Bytes are counted in units, because a semaphore counts no further than an int. */
    private static final long UNIT = 1_024;

    private static final Duration RETRY = Duration.ofMillis(20);

    private final BlockingQueue<Pending> queue;
    private final Semaphore space;
    private final int units;
    private final int groupCommands;
    private final MemoryBudget.Part memory;

    /** A request, the time it was submitted, the future of its result, and the room that it occupies. */
    record Pending(
            CommitRequest request,
            Instant handedIn,
            CompletableFuture<List<CommitOutcome>> done,
            int units,
            MemoryBudget.Reservation memory) {}

    /** A request, and what it is answered once that is durable. */
    record Planned(Pending pending, List<CommitOutcome> outcomes) {}

    /**
     * An empty queue.
     *
     * @param memory heap for what waits and is being committed
     */
    WriteQueue(CommitterLimits limits, MemoryBudget.Part memory) {
        this.queue = new ArrayBlockingQueue<>(limits.queuedRequests());
        this.units = (int) Math.min(Integer.MAX_VALUE, Math.max(1, limits.queuedBytes() / UNIT));
        this.space = new Semaphore(units);
        this.groupCommands = limits.groupCommands();
        this.memory = memory;
    }

    CompletableFuture<List<CommitOutcome>> offer(CommitRequest request, Instant now, Duration patience)
            throws QueueFullException, InterruptedException {
        int wanted = (int) Math.min(units, 1 + request.bytes() / UNIT);
        if (!space.tryAcquire(wanted, patience.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new QueueFullException("expected room for " + request.bytes()
                    + " bytes among the writes that wait to be committed, but " + (units - space.availablePermits())
                    + " of " + units + " KiB are taken");
        }
        boolean taken = false;
        MemoryBudget.Reservation held = memory.none();
        try {
            held = reserve(request.heapBytes(), patience);
            Pending pending = new Pending(request, now, new CompletableFuture<>(), wanted, held);
            taken = queue.offer(pending, patience.toMillis(), TimeUnit.MILLISECONDS);
            if (!taken) {
                throw new QueueFullException(
                        "expected room among the requests that wait to be committed, but " + queue.size() + " wait");
            }
            return pending.done();
        } finally {
            if (!taken) {
                held.close();
                space.release(wanted);
            }
        }
    }

    private MemoryBudget.Reservation reserve(long bytes, Duration patience)
            throws QueueFullException, InterruptedException {
        Optional<MemoryBudget.Reservation> found = memory.tryReserve(bytes);
        for (Duration left = patience;
                found.isEmpty() && left.compareTo(RETRY) >= 0 && bytes <= memory.limit();
                left = left.minus(RETRY)) {
            BoundedWait.rest(RETRY);
            found = memory.tryReserve(bytes);
        }
        return found.orElseThrow(() -> new QueueFullException("expected memory for a request that takes " + bytes
                + " bytes until it is committed, but " + memory.reserved() + " of " + memory.limit()
                + " bytes are taken by writes that wait, or the rest of the process needs the memory"));
    }

    /**
     * Returns the requests for one group: waits for the first, then takes those that are queued. Empty when none
     * arrives within the patience.
     */
    List<Pending> take(Duration patience) throws InterruptedException {
        List<Pending> group = new ArrayList<>();
        Pending next = queue.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        int commands = 0;
        while (next != null) {
            group.add(next);
            commands += next.request().size();
            next = commands < groupCommands ? queue.poll() : null;
        }
        return group;
    }

    /** Answers requests, each with its outcomes, or all with a failure. */
    void answer(List<Planned> planned, Optional<CommitFailedException> failure) {
        planned.forEach(one -> failure.ifPresentOrElse(
                reason -> failed(one.pending(), reason), () -> done(one.pending(), one.outcomes())));
    }

    private void done(Pending pending, List<CommitOutcome> outcomes) {
        free(pending);
        pending.done().complete(outcomes);
    }

    /** Fails all requests of a group; how many. */
    int failed(List<Pending> group, Exception reason) {
        group.forEach(pending -> failed(pending, reason));
        return group.size();
    }

    void failed(Pending pending, Exception reason) {
        free(pending);
        pending.done().completeExceptionally(reason);
    }

    /** Most bytes of heap that a request may take, while nothing else waits. */
    long mostHeapBytes() {
        return memory.most();
    }

    private void free(Pending pending) {
        pending.memory().close();
        space.release(pending.units());
    }

    /** Fails every request that still waits. */
    void failAll(Exception reason) {
        for (@Nullable Pending pending = queue.poll(); pending != null; pending = queue.poll()) {
            failed(pending, reason);
        }
    }

    int size() {
        return queue.size();
    }

    long bytes() {
        return (units - space.availablePermits()) * UNIT;
    }
}
