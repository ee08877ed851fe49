package dev.tidemark.worker.rocks;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.tidemark.cache.RowCacheRoom;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

/**
 * The versions of rows that readers asked for lately: an entry carries its row, but not the row's version, and to look up twenty of
 * them costs more than to find the entries. A row that is about to change is forgotten before the change is written, so
 * what is known holds for every view that was opened after it became known, however many commits of other rows came between.
 *
 * <p>Each row has two places, which it shares with others: the one that was read last has the first. For any thread; the one that
 * commits calls {@link #begin} and {@link #end}.
 */
final class RowVersions {
    /** Heap that one shard's takes, about, once somebody asks: places, and keys of the usual size. */
    static final long BYTES = 2L << 20;

    private static final int PLACES = 1 << 15;

    private final RowCacheRoom room;
    private boolean mayTake = true;
    private long commits;
    private boolean committing;
    private @Nullable Places places;

    /** What is known: by place, the row, its version, and how many commits had begun when that was read. */
    private static final class Places {
        private final @Nullable KeyBytes[] keys = new KeyBytes[PLACES];
        private final @Nullable RowVersion[] versions = new RowVersion[PLACES];
        private final long[] since = new long[PLACES];

        /** The place where a row is; negative where it is not. */
        int place(KeyBytes key) {
            int first = first(key);
            if (key.equals(keys[first])) {
                return first;
            }
            return key.equals(keys[first + 1]) ? first + 1 : -1;
        }

        void put(KeyBytes key, RowVersion version, long commits) {
            int first = first(key);
            if (!key.equals(keys[first])) {
                keys[first + 1] = keys[first];
                versions[first + 1] = versions[first];
                since[first + 1] = since[first];
            }
            keys[first] = key;
            versions[first] = version;
            since[first] = commits;
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
    RowVersions(RowCacheRoom room) {
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
            int place = known.place(KeyBytes.wrap(row));
            if (place >= 0) {
                known.keys[place] = null;
            }
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
            mayTake = room.take(BYTES);
            places = mayTake ? new Places() : null;
        }
        Places known = places;
        if (known == null) {
            return;
        }
        for (int i = 0; i < found.size(); i++) {
            known.put(read.get(i), found.get(i), moment.commits());
        }
    }

    /** Gives everything back, once. */
    synchronized void close() {
        if (places != null) {
            room.giveBack(BYTES);
        }
        places = null;
        mayTake = false;
    }
}
