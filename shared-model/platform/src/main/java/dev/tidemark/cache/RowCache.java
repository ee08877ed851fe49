package dev.tidemark.cache;

import org.jspecify.annotations.Nullable;

/**
 * The stored form of the rows that one store wrote last, so that a row which changes again needs no lookup. The store
 * that owns the cache reports every write to it after the write succeeded. No other component writes rows. If the store
 * started empty, the cache is complete until the first eviction: a miss then proves absence.
 *
 * <p>Writes go to the younger of two halves. When that half is full, the older half is cleared and they change places.
 * Confined to the thread that writes to the store.
 */
public final class RowCache {
    /** For a row that is not there. */
    public static final byte[] ABSENT = new byte[0];

    private final RowCacheMemory room;
    private RowPages young = new RowPages();
    private RowPages old = new RowPages();
    private long taken;
    private boolean open = true;

    /** Whether a row that is in neither half is certainly not there. */
    private boolean complete;

    /**
     * A cache that knows nothing.
     *
     * @param beginning whether the store has no rows
     */
    public RowCache(RowCacheMemory room, boolean beginning) {
        this.room = room;
        this.complete = beginning;
        room.join();
    }

    /** What is stored of a row, {@link #ABSENT} for nothing; null where only the database knows. */
    public byte @Nullable [] get(byte[] key) {
        int place = young.find(key);
        if (place >= 0) {
            return young.value(place);
        }
        place = old.find(key);
        if (place >= 0) {
            return old.value(place);
        }
        return complete ? ABSENT : null;
    }

    /** A row was written, as a piece of an array; with the length 0 it was removed. */
    public void wrote(byte[] key, byte[] value, int from, int length) {
        if (!RowPages.fits(key, 0)) {
            // Such a key was never kept, so nothing here is out of date; but that it is missing proves nothing.
            complete = false;
            return;
        }
        int kept = RowPages.fits(key, length) ? length : RowPages.NOT_KEPT;
        int place = young.find(key);
        if (place >= 0 && young.replace(place, value, from, kept)) {
            return;
        }
        if (makeRoom(key, kept)) {
            young.add(key, value, from, kept);
        } else {
            forget();
        }
    }

    /** Forgets everything: afterwards only the database knows. */
    public void forget() {
        room.giveBack(taken);
        taken = 0;
        young = young.isEmpty() ? young : new RowPages();
        old = old.isEmpty() ? old : new RowPages();
        complete = false;
    }

    /** Gives back what is beyond a share that has become smaller. */
    public void fit() {
        if (taken > room.share()) {
            turn();
        }
    }

    /** Gives everything back, once. */
    public void close() {
        forget();
        if (open) {
            room.leave();
        }
        open = false;
    }

    private boolean makeRoom(byte[] key, int length) {
        long growth = young.growth(key, length);
        if (growth > 0 && young.bytes() + growth > Math.min(room.share() / 2, RowPages.MOST_BYTES)) {
            turn();
            growth = young.growth(key, length);
        }
        if (!room.take(growth)) {
            return false;
        }
        taken += growth;
        return true;
    }

    private void turn() {
        complete &= old.isEmpty();
        long left = young.isEmpty() ? 0 : young.bytes();
        room.giveBack(taken - left);
        taken = left;
        old = young;
        young = new RowPages();
    }
}
