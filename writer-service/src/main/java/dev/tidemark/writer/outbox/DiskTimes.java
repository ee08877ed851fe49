package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.PublishTimings;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.FactBatch;

/**
 * When the latest groups of changes were on disk, for as long as they wait to be published. In memory and bounded: of a
 * change committed before the process started, or before too many others that wait, nothing is known. The committer
 * adds, the relay asks; the lock is held for a walk over one page at most.
 */
final class DiskTimes {
    private static final int MOST_GROUPS = 10_000;

    private final Deque<Group> groups = new ArrayDeque<>();

    /** Changes that were on disk at the same time. */
    private record Group(long first, long last, Duration afterCommit) {
        boolean holds(long sequence) {
            return first <= sequence && sequence <= last;
        }
    }

    /** Records that a group is on disk, and how long after its commit time. */
    synchronized void add(FactBatch batch, Duration afterCommit) {
        if (groups.size() == MOST_GROUPS) {
            groups.removeFirst();
        }
        List<CommittedChange> changes = batch.changes();
        if (!changes.isEmpty()) {
            groups.addLast(new Group(
                    changes.get(0).sequence(), batch.through().version().sequence(), afterCommit));
        }
    }

    /** Changes in sequence order as they are handed to the log now. */
    synchronized List<Publication> handOver(List<CommittedChange> page, Instant now) {
        List<Publication> publications = new ArrayList<>(page.size());
        Iterator<Group> rest = groups.iterator();
        Group group = next(rest);
        for (CommittedChange change : page) {
            while (group != null && group.last() < change.sequence()) {
                group = next(rest);
            }
            boolean known = group != null && group.holds(change.sequence());
            Instant committed = change.event().committedAt();
            Instant onDisk = known && group != null ? committed.plus(group.afterCommit()) : committed;
            publications.add(Publication.of(change, PublishTimings.of(committed, onDisk, now)));
        }
        return publications;
    }

    /** Forgets changes up to this sequence: no caller needs their times any more. */
    synchronized void forget(long sequence) {
        while (!groups.isEmpty() && groups.getFirst().last() <= sequence) {
            groups.removeFirst();
        }
    }

    private static @Nullable Group next(Iterator<Group> groups) {
        return groups.hasNext() ? groups.next() : null;
    }
}
