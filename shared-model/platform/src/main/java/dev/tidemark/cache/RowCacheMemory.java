package dev.tidemark.cache;

/**
 * Heap that the row caches of a process share, so that one bound holds for any number of stores. Thread-safe; each call
 * holds the lock for a few instructions.
 */
public final class RowCacheMemory {
    private final long bytes;
    private long taken;
    private int stores;

    /**
     * Sets the bound.
     *
     * @param bytes 0 for none: then every row is looked up in its database
     */
    public RowCacheMemory(long bytes) {
        this.bytes = bytes;
    }

    /** A store more that shares the room. */
    synchronized void join() {
        stores++;
    }

    /** A store less, which has given everything back. */
    synchronized void leave() {
        stores--;
    }

    /** Returns the bytes that each store should take at most: an equal share for the current number of stores. */
    synchronized long share() {
        return bytes / Math.max(1, stores);
    }

    /** Takes some; false, and none taken, where that much is not left. */
    public synchronized boolean take(long wanted) {
        if (wanted > bytes - taken) {
            return false;
        }
        taken += wanted;
        return true;
    }

    /** Gives back what was taken. */
    public synchronized void giveBack(long given) {
        taken -= given;
    }
}
