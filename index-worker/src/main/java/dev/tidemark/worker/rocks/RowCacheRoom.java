package dev.tidemark.worker.rocks;

/**
 * Heap that the row caches of all shards share, so that it has one bound whatever the number of shards. For any thread; each
 * call holds the lock for a few instructions.
 */
final class RowCacheRoom {
    private final long bytes;
    private long taken;
    private int shards;

    /**
     * Room for so many bytes.
     *
     * @param bytes 0 for none: then every row is looked up in its database
     */
    RowCacheRoom(long bytes) {
        this.bytes = bytes;
    }

    /** A shard more that shares the room. */
    synchronized void join() {
        shards++;
    }

    /** A shard less, which has given everything back. */
    synchronized void leave() {
        shards--;
    }

    /** What each shard should have at most, now that there are so many. */
    synchronized long share() {
        return bytes / Math.max(1, shards);
    }

    /** Takes some; false, and none taken, where that much is not left. */
    synchronized boolean take(long wanted) {
        if (wanted > bytes - taken) {
            return false;
        }
        taken += wanted;
        return true;
    }

    /** Gives back what was taken. */
    synchronized void giveBack(long given) {
        taken -= given;
    }
}
