package dev.tidemark.writer.outbox;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.Heartbeat;
import dev.tidemark.writer.commit.CommitPoint;
import dev.tidemark.writer.commit.CommittedChange;

/**
 * Publishes committed changes in sequence order, never past a gap, and knows how far that is. For the relay alone.
 */
final class ChangeRelay {
    private static final int PAGE_ENTRIES = 5_000;
    private static final long PAGE_BYTES = 4L << 20;

    /** Trimming waits for so many changes, because each trim leaves a mark in the store. */
    private static final long TRIM_STEP = 1_000;

    private final Outbox outbox;
    private final EventPublisher publisher;
    private final TopicKeeper keeper;
    private final Backlog backlog;
    private final Clock clock;
    private final long retainRecords;
    private long published;
    private @Nullable CommittedChange last;

    ChangeRelay(
            Outbox outbox,
            EventPublisher publisher,
            TopicKeeper keeper,
            Backlog backlog,
            long retainRecords,
            Clock clock) {
        this.outbox = outbox;
        this.publisher = publisher;
        this.keeper = keeper;
        this.backlog = backlog;
        this.retainRecords = retainRecords;
        this.clock = clock;
        this.published = outbox.publishedThrough();
    }

    /** Everything up to this sequence has been acknowledged. */
    long published() {
        return published;
    }

    /**
     * Publishes the next changes.
     *
     * @param frontier a place in commit order that has been reached
     * @return how many
     */
    int step(CommitPoint frontier) throws PublishException, OutboxGapException, InterruptedException {
        long waiting = frontier.version().sequence() - published;
        if (waiting <= 0) {
            return 0;
        }
        // No further than the frontier: what is beyond it is not accounted for yet.
        List<CommittedChange> page = outbox.readAfter(published, (int) Math.min(waiting, PAGE_ENTRIES), PAGE_BYTES);
        requireNoGap(page);
        Map<EventPublisher.Shard, Long> ends = publisher.publish(backlog.handOver(page, clock.instant()));
        CommittedChange newest = page.get(page.size() - 1);
        outbox.markPublished(newest.sequence());
        keeper.acknowledged(ends);
        backlog.acknowledged(page);
        last = newest;
        published = newest.sequence();
        trim();
        return page.size();
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

    private void requireNoGap(List<CommittedChange> page) throws OutboxGapException {
        if (page.isEmpty()) {
            throw new OutboxGapException(published + 1, 0);
        }
        long expected = published;
        for (CommittedChange change : page) {
            expected++;
            if (change.sequence() != expected) {
                throw new OutboxGapException(expected, change.sequence());
            }
        }
    }

    private void trim() {
        long through = published - retainRecords;
        if (through - outbox.lowWaterMark() >= Math.max(TRIM_STEP, retainRecords / 4)) {
            outbox.trim(through);
        }
    }
}
