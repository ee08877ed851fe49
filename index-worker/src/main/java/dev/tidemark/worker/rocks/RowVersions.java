package dev.tidemark.worker.rocks;

import java.util.List;

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
 * <p>Each row has two places, which it shares with other rows; the row that was read last has the first. For any
 * thread; the committing thread calls {@link #begin} and {@link #end}.
 */
final class RowVersions {
    private static final int PLACES = 1 << 15;

    /**
     * Heap of the places, in bytes: two references and a number for each. It is taken when the first versions are kept.
     */
    static final long PLACES_BYTES = 16L * PLACES;

    /** Heap that a row takes beside the bytes of its key. */
    static final long ROW_BYTES = 96;

    /** Heap for rows is taken from the room in such pieces. */
    static final long STEP = 64L << 10;

    private final RowCacheMemory room;
    private boolean mayTake = true;
    private long taken;
    private long commits;
    private boolean committing;
    private @Nullable Places places;

    /** What is known: by place, the row, its version, and how many commits had begun when that was read. */
    private static final class Places {
        private final @Nullable KeyBytes[] keys = new KeyBytes[PLACES];
        private final @Nullable RowVersion[] versions = new RowVersion[PLACES];
        private final long[] since = new long[PLACES];
        private long bytes;

        /** The place where a row is; negative where it is not. */
        int place(KeyBytes key) {
            int first = first(key);
            if (key.equals(keys[first])) {
                return first;
            }
            return key.equals(keys[first + 1]) ? first + 1 : -1;
        }

        /** How many bytes more all rows would take with this one, which displaces another where it is new. */
        long growth(KeyBytes key) {
            int first = first(key);
            return key.equals(keys[first]) ? 0 : bytes(key) - bytes(keys[first + 1]);
        }

        void put(KeyBytes key, RowVersion version, long commits) {
            int first = first(key);
            if (!key.equals(keys[first])) {
                bytes += growth(key);
                keys[first + 1] = keys[first];
                versions[first + 1] = versions[first];
                since[first + 1] = since[first];
                keys[first] = key;
            }
            versions[first] = version;
            since[first] = commits;
        }

        void forget(KeyBytes key) {
            int place = place(key);
            if (place >= 0) {
                bytes -= bytes(key);
                keys[place] = null;
                versions[place] = null;
            }
        }

        private static long bytes(@Nullable KeyBytes key) {
            return key == null ? 0 : ROW_BYTES + key.length();
        }

        private static int first(KeyBytes key) {
            int hash = key.hashCode();
            return (hash ^ hash >>> 15) & (PLACES - 2);
        }
    }

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
    synchronized void begin(List<byte[]> rows) {
        commits++;
        committing = true;
        Places known = places;
        if (known == null) {
            return;
        }
        for (byte[] row : rows) {
            known.forget(KeyBytes.wrap(row));
        }
    }

    /** The commit has ended, whether it was done or not. */
    synchronized void end() {
        committing = false;
    }

    /** Puts in what is known for a view of that moment; leaves null what is not. */
    synchronized void find(Moment moment, List<KeyBytes> wanted, @Nullable RowVersion[] found) {
        Places known = places;
        if (known == null || !moment.between()) {
            return;
        }
        for (int i = 0; i < found.length; i++) {
            int place = known.place(wanted.get(i));
            if (place >= 0 && known.since[place] <= moment.commits()) {
                found[i] = known.versions[place];
            }
        }
    }

    /** Keeps what was read from a view of that moment, unless anything was committed since. */
    synchronized void keep(Moment moment, List<KeyBytes> read, List<RowVersion> found) {
        if (!moment.between() || moment.commits() != commits || found.isEmpty()) {
            return;
        }
        if (places == null && mayTake) {
            mayTake = take(PLACES_BYTES);
            places = mayTake ? new Places() : null;
        }
        Places known = places;
        if (known == null) {
            return;
        }
        for (int i = 0; i < found.size(); i++) {
            long missing = PLACES_BYTES + known.bytes + known.growth(read.get(i)) - taken;
            if (missing <= 0 || take(Math.max(STEP, missing))) {
                known.put(read.get(i), found.get(i), moment.commits());
            }
        }
    }

    private boolean take(long bytes) {
        boolean there = room.take(bytes);
        taken += there ? bytes : 0;
        return there;
    }

    /** Gives everything back, once. */
    synchronized void close() {
        room.giveBack(taken);
        taken = 0;
        places = null;
        mayTake = false;
    }
}
