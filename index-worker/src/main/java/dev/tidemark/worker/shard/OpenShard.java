package dev.tidemark.worker.shard;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardClosedException;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardView;

/**
 * A shard whose partition is assigned to this process.
 *
 * <p>The poll thread calls {@link #takeStart}, {@link #offer}, {@link #isFull} and {@link #isLow}; one apply thread
 * calls {@link #doWork}; requests ({@link #requestClose}, {@link #requestRebuild}) and everything that reads are for
 * any thread.
 */
public final class OpenShard {
    private static final Logger LOGGER = LoggerFactory.getLogger(OpenShard.class);

    private final ShardId id;
    private final Supplier<DesiredTable> plan;
    private final ProgressSignal progress;
    private final ProgressSignal work;
    private final BooleanSupplier paused;
    private final Clock clock;
    private final ShardStoreHandle handle;
    private final ShardQueue shardQueue = new ShardQueue();
    private final Queue<Consumer<ShardApplier>> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger openings = new AtomicInteger();
    private final AtomicReference<@Nullable Start> start = new AtomicReference<>();
    private final AtomicReference<RebuildPolicy.@Nullable Rebuild> rebuild = new AtomicReference<>();
    private final ReadStall stall;
    private final Predecessor predecessor;
    private volatile boolean closeRequested;
    private volatile boolean closed;

    private volatile @Nullable String failure;
    private volatile @Nullable String unread;
    private volatile ShardOpener.@Nullable Opened opened;
    private volatile @Nullable ShardStatus last;

    // Only for the apply thread.
    private final ShardOpening opening;

    /**
     * A request to read the partition from a position.
     *
     * @param reading names this reading, for {@link #offer}
     */
    public record Start(long reading, StartPosition position) {}

    /**
     * A shard that is not open yet.
     *
     * @param plan gives what the shard should hold at the moment
     * @param progress rung when readers may see something new
     * @param work rung when there is something for the apply thread to do
     * @param paused whether nothing may be applied at the moment
     * @param threads what opens and closes the shard
     * @param before another one of the same name, which must be closed before this one is opened
     */
    OpenShard(
            ShardId id,
            Supplier<DesiredTable> plan,
            ShardOpener opener,
            ProgressSignal progress,
            ProgressSignal work,
            BooleanSupplier paused,
            Clock clock,
            ShardThreads threads,
            Optional<OpenShard> before) {
        this.id = id;
        this.plan = plan;
        this.progress = progress;
        this.work = work;
        this.paused = paused;
        this.clock = clock;
        this.handle = new ShardStoreHandle(id, threads, work);
        this.stall = new ReadStall(id, opener, handle);
        this.predecessor = new Predecessor(id, opener, threads.closing(), progress);
        this.opening = new ShardOpening(id, plan, opener, predecessor, clock, before);
    }

    public ShardId id() {
        return id;
    }

    /** The table with the current definitions of its indexes. */
    public TableDefinition table() {
        return plan.get().definition();
    }

    /** Whether an operator has paused the build of all that the shard holds. */
    public boolean isBuildPaused() {
        return plan.get().isBuildPaused();
    }

    /** Where to read from, once after each opening; null when there is nothing new. Poll thread. */
    public @Nullable Start takeStart() {
        return start.getAndSet(null);
    }

    /**
     * Hands over a batch of a reading. Poll thread.
     *
     * @param done run once the batch is applied or thrown away
     */
    public void offer(ChangeBatch batch, long reading, Runnable done) {
        shardQueue.offer(new ShardQueue.Batch(batch, clock.instant(), done), reading);
        work.ring();
    }

    /** Whether no batch waits. Poll thread. */
    public boolean isIdle() {
        return shardQueue.isEmpty();
    }

    /**
     * Asks for something to be done between two batches of changes, tasks in the order of their requests. Forgotten
     * when the shard is closed or fails before. Any thread, which must not ask for more while many wait.
     */
    public void ask(Consumer<ShardApplier> task) {
        tasks.add(task);
        work.ring();
    }

    /** How often the shard was opened. Tasks of before the last time may have been forgotten. */
    public int openings() {
        return openings.get();
    }

    /** How many tasks wait. */
    public int tasksWaiting() {
        return tasks.size();
    }

    /** Whether no more batches should come for now. Poll thread. */
    public boolean isFull() {
        return opened == null || isPaused() || shardQueue.isFull();
    }

    /** Whether batches may come again. Poll thread. */
    public boolean isLow() {
        return opened != null && !isPaused() && shardQueue.isLow();
    }

    /** Whether an operator has stopped it from applying changes. What is there can be read. */
    public boolean isPaused() {
        return paused.getAsBoolean();
    }

    /** Asks for the end: the batch under way is finished, the rest dropped. */
    public void requestClose() {
        closeRequested = true;
        work.ring();
    }

    /** Asks to build the shard from the beginning of its topic, because what is there is wrong. */
    public void requestRebuild(String reason) {
        RebuildPolicy.Rebuild wanted = new RebuildPolicy.Rebuild(reason, true);
        rebuild.updateAndGet(pending -> pending == null || !pending.wrong() ? wanted : pending);
        work.ring();
    }

    /**
     * The partition cannot be read from where it is. The shard answers with what it has, and is built from the
     * beginning of its topic once that is known to have everything.
     *
     * @param reading the reading of which that was found; nothing is built again for one that is over
     */
    public void cannotGoOn(String reason, long reading) {
        stall.begin(reason, reading);
        unread = reason;
    }

    /** Whether the apply thread was given something to do. What is due by time is not counted. */
    boolean hasWork() {
        if (handle.isBusy()) {
            return false;
        }
        return closeRequested
                || handle.hasOutcome()
                || (opened != null
                        && (rebuild.get() != null || !tasks.isEmpty() || (!isPaused() && !shardQueue.isEmpty())));
    }

    /** Whether the shard was asked to be closed or to be built again. */
    public boolean isLeaving() {
        return closeRequested || rebuild.get() != null;
    }

    /**
     * Whether the shard has been closed or opened again since an opening, or is about to be closed. Closing waits for
     * the views of the shard.
     *
     * @param openingsThen value of {@link #openings()} at that opening
     */
    public boolean isLeaving(int openingsThen) {
        return opened == null || openings.get() != openingsThen || isLeaving();
    }

    /** Whether the shard is about to be built again from the beginning of its topic. */
    public boolean isRebuilding() {
        return rebuild.get() != null;
    }

    /** Whether the shard is closed for good. */
    public boolean isClosed() {
        return closed;
    }

    /** Why the shard does not work at the moment; empty when it does, or is being opened for the first time. */
    public Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    /** Why the partition is not read at the moment, which leaves the shard open; empty while it is. */
    public Optional<String> unread() {
        return Optional.ofNullable(unread);
    }

    /** Takes note of why the partition is not read; null when it is read. */
    public void unread(@Nullable String reason) {
        unread = reason;
    }

    /** How what answers is doing: the shard, or what it was while it is built again. See {@link #applied}. */
    public Optional<ShardStatus> status() {
        return predecessor.status().or(this::applied);
    }

    /** How the shard is doing; the last known status while it is not open, empty before it was first opened. */
    public Optional<ShardStatus> applied() {
        ShardOpener.Opened current = opened;
        return Optional.ofNullable(current == null ? last : current.applier().status());
    }

    /** Whether it may be read, as far as is known. */
    public boolean isReadable() {
        return !closeRequested && (predecessor.isHere() || (opened != null && rebuild.get() == null));
    }

    /** Whether what it was answers, while it is built again. */
    public boolean isAnsweredByPredecessor() {
        return predecessor.isHere();
    }

    /** Identity of the topic being read; empty while the shard is not open. */
    public Optional<String> topicId() {
        return Optional.ofNullable(opened).map(ShardOpener.Opened::topicId);
    }

    /** Notes that the shard had everything that was in its partition at some time. */
    public void caughtUpAt(Instant time) {
        Optional.ofNullable(opened).ifPresent(current -> current.applier().caughtUpAt(time));
    }

    /**
     * A consistent view of the shard with the status that it keeps at least.
     *
     * @return empty while the shard is not open
     * @throws ShardClosedException when it is just being closed
     */
    public Optional<ShardSnapshot> readApplied() {
        // The status first: what it says is in every view that is opened later.
        return Optional.ofNullable(opened)
                .map(current -> new ShardSnapshot(
                        current.applier().status(), current.store().view()));
    }

    /** The same of what answers, see {@link #status}; empty also when it is just being closed. */
    public Optional<ShardSnapshot> readIfOpen() {
        try {
            return predecessor.read().or(this::readApplied);
        } catch (ShardClosedException e) {
            return Optional.empty();
        }
    }

    /** A view of a shard and what may be said of it. */
    public record ShardSnapshot(ShardStatus status, ShardView view) {}

    /** One step. Apply thread. */
    public int doWork() {
        try {
            return step();
        } catch (ShardDamagedException e) {
            requestRebuild(String.valueOf(e.getMessage()));
            fail(e);
            return 1;
        } catch (RuntimeException e) {
            fail(e);
            return 1;
        }
    }

    private int step() {
        if (closed || handle.isBusy()) {
            return 0;
        }
        // Also while the shard is not open, which may last until its topic is recreated.
        predecessor.endIfWrong(rebuild.get());
        Optional<ShardStoreHandle.Outcome> outcome = handle.take();
        ShardOpener.Opened current = opened;
        if (outcome.isPresent()) {
            return take(outcome.get());
        } else if (closeRequested && current == null) {
            return end();
        } else if (current != null && isLeaving()) {
            if (closeRequested || !predecessor.isKeptFirst(handle, rebuild.get(), current)) {
                close(current, true);
            }
            return 1;
        }
        if (current == null) {
            return opening.begin(handle, Optional.ofNullable(rebuild.get()), () -> !isLeaving()) ? 1 : 0;
        }
        return stall.ask(clock.instant(), shardQueue.reading()) ? 1 : work(current);
    }

    private int end() {
        if (predecessor.isOpen()) {
            handle.ask(predecessor::close);
        } else {
            closed = true;
            progress.ring();
        }
        return 1;
    }

    private int take(ShardStoreHandle.Outcome outcome) {
        if (opened == null) {
            outcome.result().ifPresent(this::begin);
        } else if (rebuild.get() == null) {
            stall.answered(outcome.failure(), clock.instant())
                    .ifPresentOrElse(this::unread, () -> rebuild.compareAndSet(null, stall.rebuild()));
        } else {
            outcome.failure().ifPresent(why -> LOGGER.warn("What shard {} is cannot be kept", id, why));
        }
        return 1;
    }

    private int work(ShardOpener.Opened current) {
        ShardApplier applier = current.applier();
        if (applier.reconcile(plan.get())) {
            progress.ring();
            return 1;
        }
        if (predecessor.givesWayTo(applier.status())) {
            progress.ring();
        }
        int done = applyNext(current);
        Consumer<ShardApplier> task = opened == null ? null : tasks.poll();
        if (task != null) {
            task.accept(applier);
            done++;
        }
        return done;
    }

    private int applyNext(ShardOpener.Opened current) {
        ShardApplier applier = current.applier();
        if (isPaused() && !shardQueue.isEmpty()) {
            // It may wait for days, and would hold memory that other tables need; it is read again afterwards.
            readFrom(applier.status().checkpoint());
        }
        ShardQueue.Batch queued = isPaused() ? null : shardQueue.poll();
        if (queued == null) {
            applier.persistIfDue();
            return goBackIfRefuted(applier);
        }
        try {
            apply(current, queued);
        } finally {
            queued.done().run();
        }
        return 1;
    }

    private void apply(ShardOpener.Opened current, ShardQueue.Batch queued) {
        ShardApplier applier = current.applier();
        if (opening.isLongBehind(current)) {
            LOGGER.info("Opening shard {} again, because it was behind for long", id);
            close(current, true);
            return;
        }
        applier.apply(queued.batch(), queued.polledAt());
        goBackIfRefuted(applier);
        progress.ring();
    }

    private int goBackIfRefuted(ShardApplier applier) {
        if (!applier.goBackIfRefuted()) {
            return 0;
        }
        readFrom(applier.status().checkpoint());
        progress.ring();
        return 1;
    }

    private void readFrom(ShardCheckpoint checkpoint) {
        StartPosition position = new StartPosition(checkpoint.nextOffset(), checkpoint.leaderEpoch());
        start.set(new Start(shardQueue.restart(), position));
    }

    private void begin(ShardOpener.Opened now) {
        opening.succeeded(now).ifPresent(reason -> rebuild.compareAndSet(reason, null));
        predecessor.endUnlessFrom(now.store().origin());
        ShardCheckpoint checkpoint = now.applier().status().checkpoint();
        readFrom(checkpoint);
        openings.incrementAndGet();
        opened = now;
        failure = null;
        LOGGER.info("Shard {} is open at offset {}", id, checkpoint.nextOffset());
        progress.ring();
    }

    private void fail(RuntimeException e) {
        Duration rest = opening.failed();
        LOGGER.warn("Shard {} failed and is opened again in {} s", id, rest.toSeconds(), e);
        failure = ReadStall.shown(e);
        ShardOpener.Opened current = opened;
        if (current != null) {
            close(current, false);
        }
    }

    /** Readers find it closed before it waits for the views that are out. */
    private void close(ShardOpener.Opened current, boolean persists) {
        last = current.applier().status();
        opening.leaves(current);
        opened = null;
        start.set(null);
        shardQueue.restart();
        tasks.clear();
        handle.close(current, persists);
        progress.ring();
    }
}
