package dev.tidemark.writer.outbox;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.Heartbeat;
import dev.tidemark.writer.commit.CommitPoint;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.DigestMark;

/**
 * Publishes committed changes in sequence order, never past a gap, and knows how far that is. For the relay alone.
 *
 * <p>Changes are handed to the log as they come, without waiting for those before them; what counts as published is only
 * what has been acknowledged together with everything before it.
 */
final class ChangeRelay {
    private static final int PAGE_ENTRIES = 5_000;
    private static final long PAGE_BYTES = 4L << 20;

    /** Trimming waits for so many changes, because each trim leaves a mark in the store. */
    private static final long TRIM_STEP = 1_000;

    /** The same where hardly any change is to be retained. */
    private static final long LEAST_TRIM_STEP = 100;

    private final Outbox outbox;
    private final EventPublisher publisher;
    private final TopicKeeper keeper;
    private final Backlog backlog;
    private final Marks marks;
    private final Clock clock;
    private final long retainRecords;
    private final HandOverPace pace = new HandOverPace();
    private final Deque<Page> underWay = new ArrayDeque<>();
    private int changesUnderWay;
    private long begun;
    private long published;
    private @Nullable CommittedChange last;

    /** What was handed to the log at once: changes that follow each other, or none but a heartbeat. */
    private record Page(List<CommittedChange> changes, EventPublisher.Sending sending) {}

    ChangeRelay(
            Outbox outbox,
            EventPublisher publisher,
            TopicKeeper keeper,
            Backlog backlog,
            Marks marks,
            long retainRecords,
            Clock clock) {
        this.outbox = outbox;
        this.publisher = publisher;
        this.keeper = keeper;
        this.backlog = backlog;
        this.marks = marks;
        this.retainRecords = retainRecords;
        this.clock = clock;
        this.published = outbox.publishedThrough();
        this.begun = published;
    }

    /** Everything up to this sequence has been acknowledged. */
    long published() {
        return published;
    }

    /**
     * Takes note of what has been acknowledged, and hands over the next changes.
     *
     * @param frontier a place in commit order that has been reached
     * @return how many changes moved on
     */
    int step(CommitPoint frontier) throws PublishException, OutboxGapException, InterruptedException {
        int done = settle(false);
        Optional<DigestMark> mark = marks.next(begun);
        if (mark.isPresent() && sequence(mark.get()) == begun) {
            return done + tell(mark.get());
        }
        long end = frontier.version().sequence();
        long waiting = mark.map(next -> Math.min(end, sequence(next))).orElse(end) - begun;
        if (waiting <= 0 || changesUnderWay >= PAGE_ENTRIES || !pace.isDue(waiting, clock.instant())) {
            return done;
        }
        // No further than the frontier: what is beyond it is not accounted for yet.
        List<CommittedChange> page = outbox.readAfter(begun, (int) Math.min(waiting, PAGE_ENTRIES), PAGE_BYTES);
        requireNoGap(page);
        Instant now = clock.instant();
        begin(page, backlog.handOver(page, now));
        pace.handedOver(page.size(), now);
        begun = page.get(page.size() - 1).sequence();
        return page.size() + done + settle(false);
    }

    /**
     * Tells a mark, once everything before it is known to be in the log; nothing after it is handed over until then.
     *
     * @return 1 when it was told
     */
    private int tell(DigestMark mark) throws PublishException, InterruptedException {
        if (published < begun) {
            return 0;
        }
        marks.told();
        begin(marks.heartbeats(mark, keeper.specs()));
        return 1;
    }

    /** Marks made so far are not told any more: what is in the log may be beyond them. */
    void passMarks() {
        marks.pass();
    }

    /** Hands over messages that are no changes of the outbox, and come after what was handed over before. */
    void begin(List<Publication> messages) throws PublishException, InterruptedException {
        begin(List.of(), messages);
        settle(false);
    }

    /** Waits until all that was handed over is acknowledged. */
    void drain() throws PublishException, InterruptedException {
        settle(true);
    }

    /** Forgets what is under way; it is handed over again. To be called when the publisher is reset. */
    void reset() {
        underWay.clear();
        changesUnderWay = 0;
        begun = published;
        marks.pass();
    }

    private void begin(List<CommittedChange> changes, List<Publication> messages)
            throws PublishException, InterruptedException {
        underWay.addLast(new Page(changes, publisher.begin(keeper.expecting(messages))));
        changesUnderWay += changes.size();
    }

    private int settle(boolean wait) throws PublishException, InterruptedException {
        List<CommittedChange> settled = new ArrayList<>();
        for (Page page = underWay.peekFirst();
                page != null && (wait || page.sending().isDone());
                page = underWay.peekFirst()) {
            // Page by page, because a second one would hide what is lost between two. And the topic's end first: what
            // counts as
            // published must be missed when the topic has lost it.
            if (page.changes().isEmpty()) {
                keeper.seen(page.sending().appended());
            } else {
                keeper.acknowledged(page.sending().appended());
            }
            settled.addAll(page.changes());
            underWay.removeFirst();
        }
        if (underWay.isEmpty()) {
            keeper.nothingUnderWay();
        }
        if (!settled.isEmpty()) {
            acknowledged(settled);
        }
        return settled.size();
    }

    private void acknowledged(List<CommittedChange> changes) {
        CommittedChange newest = changes.get(changes.size() - 1);
        outbox.markPublished(newest.sequence());
        backlog.acknowledged(changes);
        changesUnderWay -= changes.size();
        last = newest;
        published = newest.sequence();
        trim();
    }

    /**
     * What every partition may be told now; empty when there is nothing to tell yet.
     *
     * @param frontier as it was before the latest step
     */
    Optional<Heartbeat> heartbeat(CommitPoint frontier) {
        if (published >= frontier.version().sequence()) {
            return Optional.of(new Heartbeat(frontier.time(), frontier.version()));
        }
        // More of the newest change's moment may still wait, so the word is good only for the time before it.
        return Optional.ofNullable(last)
                .map(CommittedChange::event)
                .map(event -> new Heartbeat(event.committedAt().minusNanos(1), event.version()));
    }

    private static long sequence(DigestMark mark) {
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

    private void trim() {
        long through = published - retainRecords;
        if (through - outbox.lowWaterMark() >= trimStep()) {
            outbox.trim(through);
        }
    }

    private long trimStep() {
        long few = Math.max(LEAST_TRIM_STEP, Math.min(TRIM_STEP, retainRecords));
        return Math.max(few, retainRecords / 4);
    }
}
