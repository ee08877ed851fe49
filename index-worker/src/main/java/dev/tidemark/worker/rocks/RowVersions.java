package dev.tidemark.worker.rocks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.tidemark.cache.RowCacheMemory;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

/**
 * Caches versions of rows that were read lately. An entry carries its row, but not the row's version, and looking up
 * versions costs more than finding the entries. A row's version is removed before a change of the row is written. A
 * cached version is therefore valid for every view that is opened after it was cached, despite later commits of other
 * rows.
 *
 * <p>The row that was read longest ago makes room for another. For any thread; the committing thread calls
 * {@link #begin} and {@link #end}.
 */
final class RowVersions {
    private static final int MOST_ROWS = 1 << 15;

    /** Heap that a row takes beside the bytes of its key. */
    static final long ROW_BYTES = 160;

    /** Heap for rows is taken from the room in such pieces. */
    static final long STEP = 64L << 10;

    private final RowCacheMemory room;

    /** The row that was read last comes last. */
    private final Map<KeyBytes, Known> rows = new LinkedHashMap<>();

    private boolean closed;
    private long taken;
    private long bytes;
    private long commits;
    private boolean committing;

    /**
     * What is known of a row.
     *
     * @param commits how many commits had begun when the version was read
     */
    private record Known(RowVersion version, long commits) {}

    /**
     * Where commits stood when a view was opened.
     *
     * @param commits how many had begun
     * @param between whether none was under way: else it is not known whether the view holds it
     */
    record Moment(long commits, boolean between) {}

    /**
     * Nothing known yet.
     *
     * @param room heap that the shards share
     */
    RowVersions(RowCacheMemory room) {
        this.room = room;
    }

    synchronized Moment moment() {
        return new Moment(commits, !committing);
    }

    /** A commit begins that changes these rows. */
    synchronized void begin(List<byte[]> changed) {
        commits++;
        committing = true;
        if (!rows.isEmpty()) {
            changed.forEach(row -> forget(KeyBytes.wrap(row)));
        }
    }

    /** The commit has ended, whether it was done or not. */
    synchronized void end() {
        committing = false;
    }

    /** Puts in what is known for a view of that moment; leaves null what is not. */
    synchronized void find(Moment moment, List<KeyBytes> wanted, @Nullable RowVersion[] found) {
        for (int i = 0; moment.between() && i < found.length; i++) {
            Known known = rows.get(wanted.get(i));
            found[i] = known == null || known.commits() > moment.commits() ? null : known.version();
        }
    }

    /** Keeps what was read from a view of that moment, unless anything was committed since. */
    synchronized void keep(Moment moment, List<KeyBytes> read, List<RowVersion> found) {
        if (!moment.between() || moment.commits() != commits || closed) {
            return;
        }
        for (int i = 0; i < found.size(); i++) {
            KeyBytes key = read.get(i);
            forget(key);
            if (makeRoom(bytes(key))) {
                rows.put(key, new Known(found.get(i), commits));
                bytes += bytes(key);
            }
        }
    }

    private boolean makeRoom(long wanted) {
        while (!rows.isEmpty() && rows.size() >= MOST_ROWS) {
            forget(rows.keySet().iterator().next());
        }
        while (bytes + wanted > taken) {
            long missing = Math.max(STEP, bytes + wanted - taken);
            if (room.take(missing)) {
                taken += missing;
            } else if (rows.isEmpty()) {
                return false;
            } else {
                forget(rows.keySet().iterator().next());
            }
        }
        return true;
    }

    private void forget(KeyBytes key) {
        if (rows.remove(key) != null) {
            bytes -= bytes(key);
        }
    }

    private static long bytes(KeyBytes key) {
        return ROW_BYTES + key.length();
    }

    /** Gives everything back, once. */
    synchronized void close() {
        closed = true;
        rows.clear();
        room.giveBack(taken);
        taken = 0;
        bytes = 0;
    }
}
