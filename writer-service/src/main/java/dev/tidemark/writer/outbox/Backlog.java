package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.FactBatch;

/**
 * Counts what is committed and not yet acknowledged by the log. For any thread; the lock is held for additions only.
 *
 * <p>The age of the oldest change of a table is told to within {@link #GRAIN}, rather too old than too young.
 */
public final class Backlog implements Committer.Listener {
    /** Changes of a table committed within this time share one entry in memory. */
    static final Duration GRAIN = Duration.ofMillis(50);

    private static final int PAGE_ENTRIES = 5_000;
    private static final long PAGE_BYTES = 8L << 20;

    private final BacklogLimits limits;
    private final DiskTimes diskTimes = new DiskTimes();
    private final Map<String, Deque<Slot>> slots = new TreeMap<>();
    private long records;
    private long bytes;

    /**
     * Changes of one table.
     *
     * @param oldest commit time of the first of them
     */
    private record Slot(Instant oldest, long count) {}

    public Backlog(BacklogLimits limits) {
        this.limits = limits;
    }

    /** Counts what the outbox holds unpublished; once, before anything is committed. */
    public void load(Outbox outbox) {
        long after = outbox.publishedThrough();
        for (List<CommittedChange> page = outbox.readAfter(after, PAGE_ENTRIES, PAGE_BYTES);
                !page.isEmpty();
                page = outbox.readAfter(after, PAGE_ENTRIES, PAGE_BYTES)) {
            addAll(page);
            after = page.get(page.size() - 1).sequence();
        }
    }

    @Override
    public void committed(FactBatch batch, Duration took) {
        diskTimes.add(batch, took);
        addAll(batch.changes());
    }

    /** The oldest changes as they are handed to the log now. */
    List<Publication> handOver(List<CommittedChange> oldest, Instant now) {
        return diskTimes.handOver(oldest, now);
    }

    private synchronized void addAll(List<CommittedChange> changes) {
        changes.forEach(this::add);
    }

    /** Notes that the log has acknowledged the oldest changes. */
    void acknowledged(List<CommittedChange> changes) {
        diskTimes.forget(changes.get(changes.size() - 1).sequence());
        removeAll(changes);
    }

    private synchronized void removeAll(List<CommittedChange> changes) {
        for (CommittedChange change : changes) {
            Deque<Slot> ofTable = Objects.requireNonNull(slots.get(change.table()), "an unknown change");
            Slot first = ofTable.removeFirst();
            if (first.count() > 1) {
                ofTable.addFirst(new Slot(first.oldest(), first.count() - 1));
            }
            records--;
            bytes -= change.bytes();
        }
    }

    /** Changes of a table that wait. */
    public synchronized long records(String table) {
        return slots.getOrDefault(table, new ArrayDeque<>()).stream()
                .mapToLong(Slot::count)
                .sum();
    }

    /** When the oldest change of a table that waits was committed. */
    public synchronized Optional<Instant> oldest(String table) {
        return Optional.ofNullable(slots.get(table)).map(Deque::peekFirst).map(Slot::oldest);
    }

    /** Which bound is reached, and how much waits; empty while there is room. */
    public synchronized Optional<String> overflow() {
        if (records < limits.records() && bytes < limits.bytes()) {
            return Optional.empty();
        }
        String bound = records >= limits.records()
                ? "outbox.max.pending.records=" + limits.records()
                : "outbox.max.pending.bytes=" + limits.bytes();
        return Optional.of("the outbox is full: " + records + " changes of " + bytes
                + " bytes wait to be published, and the bound is " + bound
                + "; it drains by itself once the log takes them");
    }

    private void add(CommittedChange change) {
        Deque<Slot> ofTable = slots.computeIfAbsent(change.table(), table -> new ArrayDeque<>());
        Slot last = ofTable.peekLast();
        Instant time = change.event().committedAt();
        if (last != null && Duration.between(last.oldest(), time).compareTo(GRAIN) < 0) {
            ofTable.removeLast();
            ofTable.addLast(new Slot(last.oldest(), last.count() + 1));
        } else {
            ofTable.addLast(new Slot(time, 1));
        }
        records++;
        bytes += change.bytes();
    }
}
