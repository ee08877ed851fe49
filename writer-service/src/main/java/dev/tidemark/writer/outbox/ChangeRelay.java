package dev.tidemark.writer.outbox;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.DigestCheckpoint;
import dev.tidemark.writer.failpoint.WriterFailpoint;

/**
 * Publishes committed changes in sequence order, never past a gap, and knows how far that is. For the relay alone.
 *
 * <p>Changes are sent as they come, without waiting for those before them; what counts as published is only what has
 * been acknowledged together with everything before it. Changes of tables that are held are left out and count as
 * published: that is noted durably before, and the table is published again once it can be.
 */
final class ChangeRelay {
    private static final int PAGE_ENTRIES = 5_000;
    private static final long PAGE_BYTES = 4L << 20;

    /** Trimming waits for this number of changes, because each trim leaves a range tombstone in the store. */
    private static final long TRIM_STEP = 1_000;

    /** The same where hardly any change is to be retained. */
    private static final long LEAST_TRIM_STEP = 100;

    private final Outbox outbox;
    private final TopicReconciler keeper;
    private final HeldTables held;
    private final InFlightPages pages;
    private final DerivedTables derived;
    private final Backlog backlog;
    private final DigestCheckpoints checkpoints;
    private final MemoryBudget.Part memory;
    private final Clock clock;
    private final long retainRecords;
    private final LongSupplier recoveryEpoch;
    private final AdaptiveLinger pace = new AdaptiveLinger();
    private long begun;
    private long published;
    private long stored;
    private long keptFrom = Long.MAX_VALUE;
    private @Nullable CommittedChange last;

    /**
     * A relay of changes.
     *
     * @param memory for what is under way
     * @param recoveryEpoch epoch in which every row is committed once more, so that the relay skips changes of earlier
     *     epochs; 0 for none
     */
    ChangeRelay(
            Outbox outbox,
            TopicReconciler keeper,
            HeldTables held,
            InFlightPages pages,
            DerivedTables derived,
            Backlog backlog,
            DigestCheckpoints checkpoints,
            MemoryBudget.Part memory,
            long retainRecords,
            LongSupplier recoveryEpoch,
            Clock clock) {
        this.outbox = outbox;
        this.keeper = keeper;
        this.held = held;
        this.pages = pages;
        this.derived = derived;
        this.backlog = backlog;
        this.checkpoints = checkpoints;
        this.memory = memory;
        this.retainRecords = retainRecords;
        this.recoveryEpoch = recoveryEpoch;
        this.clock = clock;
        this.published = outbox.publishedThrough();
        this.begun = published;
        this.stored = published;
    }

    /** Everything up to this sequence has been acknowledged, or is left out. */
    long published() {
        return published;
    }

    /** Everything up to this sequence has been sent, or is left out. */
    long begun() {
        return begun;
    }

    /** The outbox keeps changes after this sequence until {@link #keepNoMore()} is called. */
    void keepFrom(long sequence) {
        keptFrom = sequence;
    }

    /** The outbox keeps no more than it does otherwise. The next step trims it; this call writes nothing. */
    void keepNoMore() {
        keptFrom = Long.MAX_VALUE;
    }

    /**
     * Records what has been acknowledged, and sends the next changes.
     *
     * @param frontier a commit position that has been reached
     * @param receivers supplies the tables whose partitions may receive heartbeats
     * @return number of changes that moved on
     */
    int step(CommitPosition frontier, Supplier<List<TableDefinition>> receivers)
            throws PublishException, OutboxGapException, InterruptedException {
        int done = settle();
        Optional<DigestCheckpoint> mark = checkpoints.next(begun);
        if (mark.isPresent() && sequence(mark.get()) == begun) {
            return done + announce(mark.get(), receivers.get());
        }
        long end = frontier.version().sequence();
        long waiting = mark.map(next -> Math.min(end, sequence(next))).orElse(end) - begun;
        if (waiting <= 0 || pages.changes() >= PAGE_ENTRIES || !pace.isDue(waiting, clock.instant())) {
            return done;
        }
        Optional<MemoryBudget.Reservation> room = room();
        if (room.isEmpty()) {
            return done;
        }
        return sendNext((int) Math.min(waiting, PAGE_ENTRIES), room.get()) + done + settle();
    }

    /**
     * Sends the next changes; no further than the frontier, because what is beyond it is not accounted for yet.
     *
     * @param room belongs to the page once that is sent, and is given back where something fails before
     * @return how many
     */
    private int sendNext(int most, MemoryBudget.Reservation room)
            throws PublishException, OutboxGapException, InterruptedException {
        boolean handedOver = false;
        try {
            List<CommittedChange> page = outbox.readAfter(begun, most, PAGE_BYTES);
            WriterFailpoint.RELAY_READ.hit();
            requireNoGap(page);
            room.shrinkTo(page.stream().mapToLong(CommittedChange::bytes).sum());
            Instant now = clock.instant();
            List<Publication> messages = withoutSuperseded(derived.with(page, backlog.handOver(page, now)));
            Set<String> leftOut = leavesOut(messages);
            handedOver = true;
            pages.send(page, without(leftOut, messages), leftOut, room, true);
            pace.handedOver(page.size(), now);
            begun = page.get(page.size() - 1).sequence();
            return page.size();
        } finally {
            if (!handedOver) {
                room.close();
            }
        }
    }

    /** Memory for a page; always where nothing else is under way, because the relay must go on. */
    private Optional<MemoryBudget.Reservation> room() {
        return pages.changes() == 0 ? Optional.of(memory.reserve(PAGE_BYTES)) : memory.tryReserve(PAGE_BYTES);
    }

    /**
     * Leaves out changes that recovery supersedes: it commits all their rows once more, in a later epoch. Published
     * now, they would stand behind newer records of the same rows. Compaction would remove those records, the only
     * evidence of the lost commits.
     */
    private List<Publication> withoutSuperseded(List<Publication> messages) {
        long epoch = recoveryEpoch.getAsLong();
        return epoch == 0
                ? messages
                : messages.stream()
                        .filter(message -> !(message.message() instanceof ChangeEvent change)
                                || change.version().epoch() >= epoch)
                        .toList();
    }

    /** Whether recovery supersedes the next change to be sent, so that it is left out. */
    boolean isNextSuperseded() {
        long epoch = recoveryEpoch.getAsLong();
        return epoch > 0
                && outbox.readAfter(begun, 1, PAGE_BYTES).stream()
                        .anyMatch(next -> next.event().version().epoch() < epoch);
    }

    /** The tables that are held, of those of messages; that something is left out of them is durable then. */
    private Set<String> leavesOut(List<Publication> messages) {
        if (held.isEmpty()) {
            return Set.of();
        }
        Set<String> leftOut =
                messages.stream().map(Publication::table).filter(held::isHeld).collect(Collectors.toSet());
        leftOut.forEach(keeper::leavesOut);
        return leftOut;
    }

    private static List<Publication> without(Set<String> leftOut, List<Publication> messages) {
        return leftOut.isEmpty()
                ? messages
                : messages.stream()
                        .filter(message -> !leftOut.contains(message.table()))
                        .toList();
    }

    /**
     * Publishes a checkpoint, once everything before it is known to be in the log; nothing after it is sent until then.
     *
     * @return 1 when it was published
     */
    private int announce(DigestCheckpoint mark, List<TableDefinition> receivers)
            throws PublishException, InterruptedException {
        if (published < begun) {
            return 0;
        }
        checkpoints.told();
        begin(checkpoints.heartbeats(mark, receivers));
        return 1;
    }

    /** All changes of a table that were left out are in the log, those included that pages under way left out. */
    void caughtUp(String table) {
        pages.caughtUp(table);
        backlog.caughtUp(table);
    }

    /** Drops the checkpoints made so far: what is in the log may be beyond them. */
    void dropCheckpoints() {
        checkpoints.pass();
    }

    /** Sends messages that are no changes of the outbox, and come after what was sent before. */
    InFlightPages.Page begin(List<Publication> messages) throws PublishException, InterruptedException {
        return begin(messages, true);
    }

    /**
     * Sends messages that are no changes of the outbox.
     *
     * @param proves whether they come after what was sent before in commit order, too, and so prove it
     */
    InFlightPages.Page begin(List<Publication> messages, boolean proves) throws PublishException, InterruptedException {
        InFlightPages.Page page = pages.send(List.of(), messages, Set.of(), memory.reserve(0), proves);
        settle();
        return page;
    }

    /** Closes the producer, and forgets the messages under way; their changes are sent again. */
    void reset() {
        pages.reset();
        begun = published;
    }

    /** Records what has been acknowledged, and returns the number of those changes; 1 where it did something else. */
    int settle() throws PublishException, InterruptedException {
        List<InFlightPages.Page> acknowledged = pages.settle().stream()
                .filter(page -> !page.changes().isEmpty())
                .toList();
        if (acknowledged.isEmpty()) {
            boolean marked = mark();
            return trim() || marked ? 1 : 0;
        }
        List<CommittedChange> newest = acknowledged.get(acknowledged.size() - 1).changes();
        CommittedChange end = newest.get(newest.size() - 1);
        WriterFailpoint.RELAY_ACKNOWLEDGED.hit();
        // Before it is stored. A statement that fails may be done all the same, so nothing up to here is sent again.
        published = end.sequence();
        last = end;
        int changes = 0;
        for (InFlightPages.Page page : acknowledged) {
            changes += page.changes().size();
            backlog.acknowledged(page.changes(), page.leftOut());
        }
        boolean unusedMark = mark();
        boolean unused = trim();
        return changes;
    }

    /** Stores how far changes are published. Where that fails, the next step does it again. */
    private boolean mark() {
        boolean due = stored < published;
        if (due) {
            outbox.markPublished(published);
            stored = published;
            WriterFailpoint.RELAY_REMEMBERED.hit();
        }
        return due;
    }

    /**
     * Returns the heartbeat that every partition may receive now; empty when there is none yet.
     *
     * @param frontier as it was before the latest step
     */
    Optional<Heartbeat> heartbeat(CommitPosition frontier) {
        if (published >= frontier.version().sequence()) {
            return Optional.of(new Heartbeat(frontier.time(), frontier.version()));
        }
        // Other changes of the same commit time may still wait, so the heartbeat covers only earlier times.
        return Optional.ofNullable(last)
                .map(CommittedChange::event)
                .map(event -> new Heartbeat(event.committedAt().minusNanos(1), event.version()));
    }

    private static long sequence(DigestCheckpoint mark) {
        return mark.at().version().sequence();
    }

    private void requireNoGap(List<CommittedChange> page) throws OutboxGapException {
        if (page.isEmpty()) {
            throw new OutboxGapException(begun + 1, 0);
        }
        long expected = begun;
        for (CommittedChange change : page) {
            expected++;
            if (change.sequence() != expected) {
                throw new OutboxGapException(expected, change.sequence());
            }
        }
    }

    /** Returns whether so much was there to trim. A mark that could not be stored does not count yet. */
    private boolean trim() {
        long through = Math.min(keptFrom, outbox.publishedThrough() - retainRecords);
        if (through - outbox.lowWaterMark() < trimStep()) {
            return false;
        }
        WriterFailpoint.TRIM_BEFORE.hit();
        outbox.trim(through);
        WriterFailpoint.TRIM_DONE.hit();
        return true;
    }

    private long trimStep() {
        long few = Math.max(LEAST_TRIM_STEP, Math.min(TRIM_STEP, retainRecords));
        return Math.max(few, retainRecords / 4);
    }
}
