package dev.tidemark.writer.commit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowVersion;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.writer.failpoint.WriterFailpoint;

/**
 * The one thread that changes the fact tables. It takes the requests that wait, plans them as one group, commits them
 * with one fsync, and answers all of them; so commit order is sequence order, and the cost of the fsync is shared. When
 * it closes it commits what still waits.
 *
 * <p>A request that cannot be planned fails alone. When a commit fails, every request in it fails, and the committer
 * reads from the store where it stands rather than trust what it meant to do. Where an error ends the thread, nothing
 * is committed after it.
 */
public final class Committer implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(Committer.class);

    /**
     * How far ahead commit timestamps are reserved while the writer is idle; an idle writer syncs once per interval.
     */
    static final Duration RESERVED_AHEAD = Duration.ofSeconds(1);

    private static final Duration PASS_STEP = Duration.ofMillis(1);

    /** Size of the changes from which on a batch takes no further request: a small patch can change a large row. */
    private static final long BATCH_BYTES = 8L << 20;

    private final FactStore store;
    private final FactDigests digests;
    private final RulesInForce rules;
    private final WriteGate gate;
    private final Clock clock;
    private final List<Listener> listeners;
    private final MemoryBudget.Part memory;
    private final WriteQueue queue;
    private final Duration tick;
    private Instant promised = Instant.MIN;
    private volatile CommitPosition frontier;
    private volatile long wantedEpoch;
    private volatile Instant floor = Instant.MIN;
    private volatile boolean closed;

    /** Steps that have come to their end. */
    private final AtomicLong passes = new AtomicLong();

    /** Nothing is committed any more. */
    private volatile boolean ended;

    /** A step has not come to its end: while it runs, and for ever where an error ended it. */
    private volatile boolean brokenOff;

    /** What the store holds is not known. */
    private boolean uncertain;

    /** Whose commit failed, and which may be in the store all the same. */
    private @Nullable FactBatch doubtful;

    private volatile @Nullable String trouble;

    /** Receives notice of commits. The committer's thread calls it; its methods must not throw. */
    public interface Listener {
        /** A group was committed; called before its clients are answered, or long after where that was not known. */
        void committed(FactBatch batch, Duration took);

        /** Called for each request of a group, with the time from its submission to its commit time. */
        default void waited(Duration time) {
            // Does nothing unless it is overridden.
        }

        /**
         * No commit of a later run has a time up to that of this commit position. Called about once a second while
         * nothing is written.
         */
        default void promised(CommitPosition place) {
            // Does nothing unless it is overridden.
        }

        /** {@link #frontier()} has moved on to the end of that group. */
        default void frontierMoved() {
            // Does nothing unless it is overridden.
        }
    }

    /**
     * A committer.
     *
     * @param digests kept beside the rows; for the committer alone from now on
     * @param rules of every table that a request may name; asked once for each group
     * @param memory heap for the requests that wait, and for what they take while they are carried out
     * @param listeners notified in this order
     */
    public Committer(
            FactStore store,
            FactDigests digests,
            Supplier<Map<String, RowRules>> rules,
            CommitterLimits limits,
            MemoryBudget.Part memory,
            WriteGate gate,
            Clock clock,
            List<Listener> listeners) {
        this.store = store;
        this.digests = digests;
        this.rules = new RulesInForce(rules);
        this.gate = gate;
        this.clock = clock;
        this.listeners = List.copyOf(listeners);
        this.memory = memory;
        this.queue = new WriteQueue(limits, memory);
        this.tick = limits.tick();
        this.frontier = store.currentCommit();
    }

    /**
     * Hands in a request; for any thread.
     *
     * @param patience how long to wait for room in the queue
     * @return the outcomes of the commands once they are durable; fails with {@link CommitFailedException}
     * @throws QueueFullException when there is no room
     * @throws WritesRefusedException when no write is taken at the moment
     */
    public CompletableFuture<List<CommitOutcome>> submit(CommitRequest request, Duration patience)
            throws QueueFullException, WritesRefusedException, InterruptedException {
        Optional<String> refusal = gate.refusal(request.tables());
        if (refusal.isPresent()) {
            throw new WritesRefusedException(refusal.get());
        }
        return submitOwn(request, patience);
    }

    /**
     * The same for the writer itself, which is let in when clients are not.
     *
     * @throws WritesRefusedException when the service is stopping
     */
    public CompletableFuture<List<CommitOutcome>> submitOwn(CommitRequest request, Duration patience)
            throws QueueFullException, WritesRefusedException, InterruptedException {
        if (closed) {
            throw new WritesRefusedException(String.valueOf(stopped().getMessage()));
        }
        CompletableFuture<List<CommitOutcome>> done = queue.offer(request, clock.instant(), patience);
        if (closed) {
            queue.failAll(stopped());
        }
        return done;
    }

    /**
     * Asks for an epoch, which begins before the next commit; for the relay.
     *
     * @param epoch its number; nothing happens where commit order has come to it already
     */
    public void beginEpoch(long epoch) {
        wantedEpoch = epoch;
    }

    /** Every later commit is to have a time after that one; for the relay. */
    public void notBefore(Instant time) {
        floor = time.plusNanos(999).truncatedTo(ChronoUnit.MICROS);
    }

    /**
     * Waits until each group is committed or failed whose rules were looked up before this call; for any thread. Later
     * groups are planned by the rules that are given from now on.
     *
     * @return false when that is not so within the patience
     */
    public boolean awaitPass(Duration patience) throws InterruptedException {
        long before = passes.get();
        return BoundedWait.until(() -> ended || passes.get() != before, patience, PASS_STEP);
    }

    /** Where commit order stands; for any thread. Moves on with the clock while nothing is written. */
    public CommitPosition frontier() {
        return frontier;
    }

    /**
     * The derived tables in which each change is placed that is committed from now on: what was committed before is in
     * the fact tables. For any thread.
     */
    public Set<DerivedTable> placedIn() {
        return rules.placedIn();
    }

    /** Why the last attempt to write to the store failed; empty when it did not. */
    public Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    /** Most bytes of heap that a request may take: a larger one is always refused. */
    public long mostHeapBytes() {
        return queue.mostHeapBytes();
    }

    /** Requests that wait now. */
    public int queuedRequests() {
        return queue.size();
    }

    /** Bytes of the requests that wait or are being committed now. */
    public long queuedBytes() {
        return queue.bytes();
    }

    @Override
    public String roleName() {
        return "committer";
    }

    @Override
    public int doWork() throws InterruptedException {
        List<WriteQueue.Pending> group = queue.take(tick);
        brokenOff = true;
        if (group.isEmpty()) {
            passTime();
        } else {
            commit(group);
            WriterFailpoint.COMMIT_ANSWERED.hit();
        }
        brokenOff = false;
        passes.incrementAndGet();
        return group.size();
    }

    @Override
    public void onClose() {
        closed = true;
        try {
            // After an error it is not known what the store holds, and nothing may be committed on top of that.
            List<WriteQueue.Pending> rest = brokenOff ? List.of() : queue.take(Duration.ZERO);
            while (!rest.isEmpty()) {
                commit(rest);
                rest = queue.take(Duration.ZERO);
            }
            releasePromise();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended = true;
            queue.failAll(stopped());
        }
    }

    /** What was promised beyond the last commit time would put the clock of the next process ahead. */
    private void releasePromise() {
        if (brokenOff || uncertain || !promised.isAfter(frontier.time())) {
            return;
        }
        try {
            store.reserveTimestamps(frontier.time());
        } catch (RuntimeException e) {
            LOGGER.debug("The clock of the next process may begin ahead of the time", e);
        }
    }

    private void commit(List<WriteQueue.Pending> group) {
        List<WriteQueue.Pending> rest = group;
        try {
            while (!rest.isEmpty()) {
                rest = rest.subList(commitSome(rest), rest.size());
            }
        } catch (Error e) {
            rest.forEach(pending -> pending.done().completeExceptionally(new CommitFailedException(e)));
            throw e;
        }
    }

    /** Commits as many requests of a group as have room in one batch, and answers them; how many. */
    private int commitSome(List<WriteQueue.Pending> group) {
        Optional<String> halt = gate.halt();
        if (halt.isPresent()) {
            return queue.failed(group, new CommitFailedException(halt.get() + "; nothing was applied"));
        }
        Instant start = clock.instant();
        GroupPlanner planner;
        try {
            planner = planner(start);
            store.readAhead(group.stream()
                    .flatMap(pending -> pending.request().parts().stream())
                    .toList());
        } catch (RuntimeException e) {
            failed(e);
            return queue.failed(
                    group, new CommitFailedException("the fact table cannot be written, and nothing was applied", e));
        }
        List<WriteQueue.Planned> planned = new ArrayList<>();
        int taken = 0;
        while (taken < group.size() && planner.bytes() < BATCH_BYTES) {
            WriteQueue.Pending pending = group.get(taken++);
            Duration waited = Duration.between(pending.handedIn(), start);
            listeners.forEach(listener -> listener.waited(waited));
            plan(planner, pending, planned);
        }
        try {
            store(planner, start);
            // Another process may have taken over while this one stood still, and does not have these writes.
            queue.answer(planned, gate.halt().map(CommitFailedException::unknown));
        } catch (RuntimeException e) {
            failed(e);
            queue.answer(planned, Optional.of(new CommitFailedException(e)));
        }
        return taken;
    }

    /** Plans a request. Where that fails, the request is answered and has no part in the batch. */
    private void plan(GroupPlanner planner, WriteQueue.Pending pending, List<WriteQueue.Planned> planned) {
        try {
            planned.add(new WriteQueue.Planned(pending, planner.plan(pending.request())));
        } catch (RuntimeException e) {
            LOGGER.error(
                    "A request to tables {} failed alone", pending.request().tables(), e);
            queue.failed(
                    pending,
                    new CommitFailedException(
                            "the request failed before anything of it was applied: " + e.getMessage(), e));
        }
    }

    private GroupPlanner planner(Instant start) {
        recover(start);
        enterEpoch(start);
        digests.advance(frontier, start);
        Instant time = later(start, frontier.time().plus(1, ChronoUnit.MICROS));
        return new GroupPlanner(store, rules.follow(), frontier.version(), time, digests::count, memory);
    }

    private void store(GroupPlanner planner, Instant start) {
        FactBatch planned = planner.batch();
        if (planned.isEmpty()) {
            return;
        }
        FactBatch batch = planned.with(digests.moved(planner.delta()));
        WriterFailpoint.COMMIT_BEFORE_WRITE.hit();
        doubtful = batch;
        store.commit(batch);
        doubtful = null;
        WriterFailpoint.COMMIT_WRITTEN.hit();
        Duration took = Duration.between(start, clock.instant());
        listeners.forEach(listener -> listener.committed(batch, took));
        // The checkpoint first: a thread that sees the frontier must be able to see the checkpoint.
        digests.committed(planner.delta(), batch.through(), start);
        frontier = batch.through();
        trouble = null;
        listeners.forEach(Listener::frontierMoved);
        WriterFailpoint.COMMIT_COUNTED.hit();
    }

    /** A commit failed: the store is asked what it holds, at once where that works, else before the next commit. */
    private void failed(RuntimeException reason) {
        LOGGER.error("A commit failed", reason);
        trouble = "the last commit failed: " + reason.getMessage();
        uncertain = true;
        try {
            recover(clock.instant());
        } catch (RuntimeException e) {
            LOGGER.warn("What the fact table holds after a failed commit cannot be read yet", e);
        }
    }

    private void recover(Instant now) {
        if (uncertain) {
            // Not the stored time, which may be a promise, ahead of the clock. What may have been committed after all
            // has
            // no later time than this.
            Instant time = later(now, frontier.time().plus(1, ChronoUnit.MICROS));
            RowVersion last = store.currentCommit().version();
            FactBatch done = doubtful;
            doubtful = null;
            if (done != null && last.equals(done.through().version()) && !last.equals(frontier.version())) {
                // Others count what is in the outbox.
                listeners.forEach(listener -> listener.committed(done, Duration.ZERO));
            }
            frontier = new CommitPosition(last, time);
            digests.startAgain();
            uncertain = false;
        }
    }

    /** Moves the frontier to the present while nothing is written; every later commit gets a later time. */
    private void passTime() {
        Instant now = clock.instant();
        try {
            recover(now);
            enterEpoch(now);
            rules.follow();
            Instant time = later(now, frontier.time());
            if (time.isAfter(promised)) {
                store.reserveTimestamps(time.plus(RESERVED_AHEAD));
                promised = time.plus(RESERVED_AHEAD);
                listeners.forEach(listener -> listener.promised(new CommitPosition(frontier.version(), promised)));
            }
            digests.advance(frontier, now);
            CommitPosition reached = new CommitPosition(frontier.version(), time);
            digests.mark(reached, now);
            frontier = reached;
            trouble = null;
        } catch (RuntimeException e) {
            if (trouble == null) {
                LOGGER.error("The fact table cannot be written", e);
            }
            trouble = "the store cannot be written: " + e.getMessage();
        }
    }

    private void enterEpoch(Instant now) {
        frontier = new CommitPosition(frontier.version(), later(frontier.time(), floor));
        long epoch = wantedEpoch;
        if (epoch <= frontier.version().epoch()) {
            return;
        }
        CommitPosition entered =
                new CommitPosition(new RowVersion(epoch, frontier.version().sequence()), later(now, frontier.time()));
        store.beginEpoch(entered);
        frontier = entered;
    }

    private static Instant later(Instant a, Instant b) {
        return (a.isAfter(b) ? a : b).truncatedTo(ChronoUnit.MICROS);
    }

    private CommitFailedException stopped() {
        return new CommitFailedException(
                brokenOff
                        ? "the thread that commits was ended by an error, and the writer has to start again; nothing"
                                + " was applied"
                        : "the service is stopping; nothing was applied");
    }
}
