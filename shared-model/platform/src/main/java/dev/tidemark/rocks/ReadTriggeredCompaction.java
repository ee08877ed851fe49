package dev.tidemark.rocks;

import java.io.File;

import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyMetaData;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Merges a table that is read more than it is written into one sorted run. It waits until scans have lost about as much
 * time in several runs as the merge takes. Merges then cost no more than what readers lost before them; LevelDB counts
 * its seeks for the same reason. All but {@link #cancel()} is for one thread at a time.
 */
final class ReadTriggeredCompaction implements AutoCloseable {
    /** Bytes whose merge takes about as long as one scan loses in several runs. */
    private static final long BYTES_A_SCAN = 200;

    /** Bytes whose merge takes about as long as making and syncing the files of a merge. */
    private static final long BYTES_OF_FILES = 4L << 20;

    /** A merge keeps a thread busy. */
    private static final long MOST_BYTES = 256L << 20;

    /** A merge writes the table once more, and leaves as much room as that to others. */
    private static final long FREE_FOR_ONE_BYTE = 2;

    /** A merge is worth while where the largest run lacks at least one of this number of bytes. */
    private static final long BYTES_FOR_ONE_NEW = 8;

    /** RocksDB looks at the mark of a merge under way only where it was set before. */
    private final CompactRangeOptions options =
            new CompactRangeOptions().setExclusiveManualCompaction(false).setCanceled(false);

    /** How many scans had begun when there was last nothing worth a merge. */
    private long scansBefore;

    private volatile boolean cancelled;
    private boolean closed;

    /**
     * Merges the table, if that has become worth while.
     *
     * @param scans how many scans have begun so far
     * @return whether it has
     */
    boolean run(RocksDB database, ColumnFamilyHandle table, long scans) throws RocksDBException {
        if (scans == scansBefore) {
            return false;
        }
        long unmerged = database.getLongProperty(table, "rocksdb.cur-size-active-mem-table");
        long bytes = unmerged + database.getLongProperty(table, "rocksdb.live-sst-files-size");
        if (bytes > MOST_BYTES) {
            return false;
        }
        unmerged += bytesAboveTheLastLevel(database.getColumnFamilyMetaData(table));
        boolean paid = (scans - scansBefore) * BYTES_A_SCAN >= bytes + BYTES_OF_FILES;
        boolean worthWhile = unmerged * BYTES_FOR_ONE_NEW >= bytes;
        if (paid || !worthWhile) {
            scansBefore = scans;
        }
        if (paid && worthWhile && hasRoom(database, bytes)) {
            merge(database, table);
            return true;
        }
        return false;
    }

    private static boolean hasRoom(RocksDB database, long bytes) {
        return new File(database.getName()).getUsableSpace() >= bytes * FREE_FOR_ONE_BYTE;
    }

    private static long bytesAboveTheLastLevel(ColumnFamilyMetaData files) {
        return files.size() - files.levels().get(files.levels().size() - 1).size();
    }

    private void merge(RocksDB database, ColumnFamilyHandle table) throws RocksDBException {
        try {
            database.compactRange(table, null, null, options);
        } catch (RocksDBException e) {
            if (!cancelled) {
                throw e;
            }
        }
    }

    /** Ends a merge under way, and each later one when it begins. For any thread, at any time. */
    synchronized void cancel() {
        cancelled = true;
        if (!closed) {
            options.setCanceled(true);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        options.close();
    }
}
