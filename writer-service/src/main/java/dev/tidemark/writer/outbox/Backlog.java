package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.FactBatch;

/**
 * Counts what is committed and not yet acknowledged by the log. For any thread; once it is loaded, the lock is held for
 * additions only.
 *
 * <p>The age of the oldest change of a table is accurate to within {@link #GRAIN}, and is reported too old rather than
 * too young. After a restart, changes that were left out may be gone from the outbox. At least one is then counted, and
 * is taken to be as old as the oldest change that the outbox holds.
 */
public final class Backlog implements Committer.Listener {
    /** Changes of a table committed within this time share one entry in memory. */
    static final Duration GRAIN = Duration.ofMillis(50);

    private static final int PAGE_ENTRIES = 5_000;
    private static final long PAGE_BYTES = 8L << 20;

    private final BacklogLimits limits;
    private final DiskTimes diskTimes = new DiskTimes();
    private final Map<String, Deque<Slot>> slots = new TreeMap<>();

    /** Changes that were not published in their turn, by table. */
    private final Map<String, Slot> leftOutOf = new TreeMap<>();

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

    /**
     * Counts what the outbox holds unpublished, and of what counts as published that was left out and is not in the log
     * yet; once, before anything is committed or published.
     *
     * @param last time of the last commit
     */
    public synchronized void load(Outbox outbox, TopicLedger ledger, Instant last) {
        Map<String, Long> leftOutSince = new TreeMap<>();
        for (String table : ledger.tables()) {
            ledger.find(table)
                    .filter(topic -> !topic.whole() && !DerivedTable.is(table))
                    .ifPresent(topic -> leftOutSince.put(table, topic.leftOutSince()));
        }
        long published = outbox.publishedThrough();
        long after = leftOutSince.values().stream().reduce(published, Math::min);
        List<CommittedChange> page = outbox.readAfter(after, PAGE_ENTRIES, PAGE_BYTES);
        // What is trimmed was committed no later than that.
        Instant held = page.isEmpty() ? last : page.get(0).event().committedAt();
        long trimmed = outbox.lowWaterMark();
        leftOutSince.forEach((table, since) -> {
            if (since < trimmed) {
                leftOutOf.put(table, new Slot(held, 1));
            }
        });
        while (!page.isEmpty()) {
            for (CommittedChange change : page) {
                after = change.sequence();
                if (after > published) {
                    add(change);
                } else if (after > leftOutSince.getOrDefault(change.table(), published)) {
                    leavesOut(change);
                }
            }
            page = outbox.readAfter(after, PAGE_ENTRIES, PAGE_BYTES);
        }
    }

    private void leavesOut(CommittedChange change) {
        Instant time = change.event().committedAt();
        leftOutOf.merge(change.table(), new Slot(time, 1), (old, one) -> new Slot(old.oldest(), old.count() + 1));
    }

    @Override
    public void committed(FactBatch batch, Duration took) {
        diskTimes.add(batch, took);
        synchronized (this) {
            batch.changes().forEach(this::add);
        }
    }

    /** The oldest changes as they are handed to the log now. */
    List<Publication> handOver(List<CommittedChange> oldest, Instant now) {
        return diskTimes.handOver(oldest, now);
    }

    /**
     * Notes that the log has acknowledged the oldest changes.
     *
     * @param leftOut but not those of these tables, which wait for another way: they count as waiting until
     *     {@link #caughtUp}, and fill no bound
     */
    void acknowledged(List<CommittedChange> changes, Set<String> leftOut) {
        diskTimes.forget(changes.get(changes.size() - 1).sequence());
        removeAll(changes, leftOut);
    }

    /** Notes that all changes of a table that were left out are in the log. */
    synchronized void caughtUp(String table) {
        leftOutOf.remove(table);
    }

    private synchronized void removeAll(List<CommittedChange> changes, Set<String> leftOut) {
        for (CommittedChange change : changes) {
            if (leftOut.contains(change.table())) {
                leavesOut(change);
            }
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
        long next = slots.getOrDefault(table, new ArrayDeque<>()).stream()
                .mapToLong(Slot::count)
                .sum();
        return next + leftOut(table).map(Slot::count).orElse(0L);
    }

    /** Bytes of the changes of all tables that wait. */
    public synchronized long bytes() {
        return bytes;
    }

    /** How many bytes may wait. */
    public long mostBytes() {
        return limits.bytes();
    }

    /**
     * How full the outbox is: the larger of the shares of its two bounds. From 1 on, writes are refused. Changes that
     * were left out are not counted.
     */
    public synchronized double fill() {
        return Math.max((double) records / limits.records(), (double) bytes / limits.bytes());
    }

    /** When the oldest change of a table that waits was committed. */
    public synchronized Optional<Instant> oldest(String table) {
        return leftOut(table)
                .or(() -> Optional.ofNullable(slots.get(table)).map(Deque::peekFirst))
                .map(Slot::oldest);
    }

    private Optional<Slot> leftOut(String table) {
        return Optional.ofNullable(leftOutOf.get(table));
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
