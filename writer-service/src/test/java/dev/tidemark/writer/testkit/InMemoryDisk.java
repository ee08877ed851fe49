package dev.tidemark.writer.testkit;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.DigestKey;
import dev.tidemark.writer.commit.StoredRow;
import dev.tidemark.writer.outbox.Tombstone;
import dev.tidemark.writer.outbox.TopicRecord;

/**
 * What a writer keeps on disk. As with one write-ahead log, a durable write makes all writes before it durable; of
 * those after the last durable one, a crash may undo the newest.
 */
public final class InMemoryDisk {
    final Map<String, NavigableMap<KeyBytes, StoredRow>> facts = new HashMap<>();
    final NavigableMap<Long, CommittedChange> outbox = new TreeMap<>();
    final NavigableSet<Tombstone> tombstones = new TreeSet<>(
            Comparator.comparing((Tombstone tombstone) -> tombstone.version().sequence())
                    .thenComparing(Tombstone::table)
                    .thenComparing(Tombstone::partition));
    final Map<String, TopicRecord> topics = new HashMap<>();
    final Map<DigestKey, Digest> digests = new HashMap<>();
    final Map<String, byte[]> sources = new HashMap<>();
    Optional<Definitions> definitions = Optional.empty();
    String secret = "";
    CommitPosition lastCommit = new CommitPosition(new RowVersion(1, 0), Instant.EPOCH);
    Instant reserveTimestamps = Instant.EPOCH;
    long published;
    long lowWater;

    @Nullable
    RowVersion unsettled;

    long session;

    private final Deque<Runnable> undo = new ArrayDeque<>();
    private final Set<KeyBytes> damaged = new HashSet<>();
    private @Nullable RuntimeException failure;
    private int goodLookups = Integer.MAX_VALUE;
    private @Nullable RuntimeException lateFailure;
    private int goodWrites;
    private int writes;
    private boolean full;

    /** How many writes there were. */
    public int writes() {
        return writes;
    }

    /** Writes that are not durable yet. */
    public int unsynced() {
        return undo.size();
    }

    /**
     * Undoes the newest writes that are not durable; the others are durable from now on.
     *
     * @param lost how many, at most {@link #unsynced()}
     */
    public void crash(int lost) {
        for (int i = 0; i < lost; i++) {
            undo.pop().run();
        }
        undo.clear();
    }

    /** Undoes everything that is not durable. */
    public void crash() {
        crash(undo.size());
    }

    /** Everything as it is now; to run it brings that back, as if nothing had been synced since. */
    public Runnable image() {
        Map<String, NavigableMap<KeyBytes, StoredRow>> rows = new HashMap<>();
        facts.forEach((table, ofTable) -> rows.put(table, new TreeMap<>(ofTable)));
        NavigableMap<Long, CommittedChange> changes = new TreeMap<>(outbox);
        Set<Tombstone> deletes = Set.copyOf(tombstones);
        Map<DigestKey, Digest> sums = new HashMap<>(digests);
        Map<String, byte[]> positions = new HashMap<>(sources);
        CommitPosition last = lastCommit;
        return () -> {
            replace(facts, rows);
            replace(outbox, changes);
            replace(tombstones, deletes);
            replace(digests, sums);
            replace(sources, positions);
            lastCommit = last;
            undo.clear();
        };
    }

    /** A copy of all that is on it now, as a backup makes one. */
    public InMemoryDisk copy() {
        InMemoryDisk copy = new InMemoryDisk();
        copy.putBack(this);
        return copy;
    }

    /** Holds what a copy holds from now on, and nothing else. */
    public void putBack(InMemoryDisk copy) {
        facts.clear();
        copy.facts.forEach((table, rows) -> facts.put(table, new TreeMap<>(rows)));
        replace(outbox, copy.outbox);
        replace(tombstones, copy.tombstones);
        replace(topics, copy.topics);
        replace(digests, copy.digests);
        replace(sources, copy.sources);
        definitions = copy.definitions;
        secret = copy.secret;
        lastCommit = copy.lastCommit;
        reserveTimestamps = copy.reserveTimestamps;
        published = copy.published;
        lowWater = copy.lowWater;
        unsettled = copy.unsettled;
        session = copy.session;
        undo.clear();
    }

    private static <V> void replace(Set<V> held, Set<V> by) {
        held.clear();
        held.addAll(by);
    }

    private static <K, V> void replace(Map<K, V> held, Map<K, V> by) {
        held.clear();
        held.putAll(by);
    }

    /** The next write fails and changes nothing. */
    public void failNextWrite(RuntimeException reason) {
        failWriteAfter(0, reason);
    }

    /** The same for the one after so many that succeed. */
    public void failWriteAfter(int good, RuntimeException reason) {
        goodWrites = good;
        failure = reason;
    }

    /** The next save of definitions is done, and fails all the same. */
    public void failAfterNextSave(RuntimeException reason) {
        lateFailure = reason;
    }

    /** Every write fails and changes nothing while the disk is full. */
    public void setFull(boolean full) {
        this.full = full;
    }

    /** The next lookups of several rows succeed, as many as that, and those after them fail. */
    public void failLookupsAfter(int good) {
        goodLookups = good;
    }

    void lookUp() {
        if (goodLookups == 0) {
            throw new IllegalStateException("a block is gone");
        }
        goodLookups--;
    }

    /** Whether a row has that key cannot be read from now on. */
    public void damageRow(KeyBytes key) {
        damaged.add(key);
    }

    void requireReadable(KeyBytes key) {
        if (damaged.contains(key)) {
            throw new IllegalStateException("the block of row " + key + " is gone");
        }
    }

    /** Loses one change of the outbox, which no correct program does. */
    public void damageOutbox(long sequence) {
        outbox.remove(sequence);
    }

    /** Makes a change that a crash may undo. */
    void unsynced(Runnable change, Runnable undoing) {
        failIfAsked();
        change.run();
        writes++;
        undo.push(undoing);
    }

    /** Makes a change that no crash undoes. */
    void synced(Runnable change) {
        failIfAsked();
        change.run();
        writes++;
        undo.clear();
    }

    /** Definitions were saved. */
    void saved() {
        RuntimeException late = lateFailure;
        if (late != null) {
            lateFailure = null;
            throw late;
        }
    }

    NavigableMap<KeyBytes, StoredRow> rows(String table) {
        return facts.computeIfAbsent(table, name -> new TreeMap<>());
    }

    private void failIfAsked() {
        if (full) {
            throw new IllegalStateException("the disk is full");
        }
        RuntimeException asked = failure;
        if (asked != null && goodWrites == 0) {
            failure = null;
            throw asked;
        }
        goodWrites--;
    }
}
