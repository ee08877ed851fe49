package dev.tidemark.writer.commit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Requests on their way to the committer, bounded in number and bytes. Many threads offer, one takes. Space is given back
 * when a request is done, not when it is taken, so that the bounds hold for what the committer works on too.
 */
final class WriteQueue {
    /** Bytes are counted in units, because a semaphore counts no further than an int. */
    private static final long UNIT = 1_024;

    private final BlockingQueue<Pending> queue;
    private final Semaphore space;
    private final int units;
    private final int groupCommands;

    /** A request, since when it waits, and whoever waits for it. */
    record Pending(WriteRequest request, Instant handedIn, CompletableFuture<List<CommitOutcome>> done, int units) {}

    WriteQueue(CommitterLimits limits) {
        this.queue = new ArrayBlockingQueue<>(limits.queuedRequests());
        this.units = (int) Math.min(Integer.MAX_VALUE, Math.max(1, limits.queuedBytes() / UNIT));
        this.space = new Semaphore(units);
        this.groupCommands = limits.groupCommands();
    }

    CompletableFuture<List<CommitOutcome>> offer(WriteRequest request, Instant now, Duration patience)
            throws QueueFullException, InterruptedException {
        int wanted = (int) Math.min(units, 1 + request.bytes() / UNIT);
        if (!space.tryAcquire(wanted, patience.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new QueueFullException("expected room for " + request.bytes()
                    + " bytes among the writes that wait to be committed, but " + (units - space.availablePermits())
                    + " of " + units + " KiB are taken");
        }
        Pending pending = new Pending(request, now, new CompletableFuture<>(), wanted);
        if (!queue.offer(pending, patience.toMillis(), TimeUnit.MILLISECONDS)) {
            space.release(wanted);
            throw new QueueFullException(
                    "expected room among the requests that wait to be committed, but " + queue.size() + " wait");
        }
        return pending.done();
    }

    /** Requests for one group: waits for the first, takes what else is there. Empty when the wait was in vain. */
    List<Pending> take(Duration patience) throws InterruptedException {
        List<Pending> group = new ArrayList<>();
        Pending next = queue.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        int commands = 0;
        while (next != null) {
            group.add(next);
            commands += next.request().commands().size();
            next = commands < groupCommands ? queue.poll() : null;
        }
        return group;
    }

    void done(Pending pending, List<CommitOutcome> outcomes) {
        space.release(pending.units());
        pending.done().complete(outcomes);
    }

    void failed(Pending pending, Exception reason) {
        space.release(pending.units());
        pending.done().completeExceptionally(reason);
    }

    /** Fails whatever still waits. */
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
