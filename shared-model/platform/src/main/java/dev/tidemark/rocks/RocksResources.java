package dev.tidemark.rocks;

import java.util.function.Consumer;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionOptionsUniversal;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.HyperClockCache;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Priority;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * Memory and options that all databases of a process share, so that one bound on native memory holds for any number of
 * shards. Close it after every database.
 */
public final class RocksResources implements AutoCloseable {
    private static final double BLOOM_BITS_PER_KEY = 10;
    private static final long MAX_WAL_BYTES = 256L << 20;

    /** A process may have a hundred stores. Each of them keeps that much of the disk free for its list of files. */
    private static final long MANIFEST_STEP_BYTES = 64L << 10;

    /** For the cache to find out by itself. */
    private static final int UNKNOWN_CHARGE = 0;

    private static final int USUAL_SHARDS = -1;

    /** Files of tables reach the disk in steps of this size: a sync of the log would wait for a whole one. */
    private static final long TABLE_SYNC_BYTES = 1L << 20;

    /** Sorted runs of a table beyond the largest may take this share of it before everything is merged. */
    private static final int SPARE_PERCENT = 100;

    private final Cache cache;
    private final WriteBufferManager writeBuffers;
    private final BloomFilter bloom;
    private final CompactionOptionsUniversal compaction;
    private final long memtableBytes;
    private final int recycledLogs;
    private final Consumer<String> damaged;

    /** Reserves the shared memory, for databases that recycle no write-ahead logs. */
    public RocksResources(long cacheBytes, long memtableBytes) {
        this(cacheBytes, memtableBytes, 0, what -> {});
    }

    /**
     * Reserves the shared memory.
     *
     * @param cacheBytes block cache, memtables included; too small makes reads go to disk
     * @param memtableBytes size at which one table's memtable is flushed; too small makes many small files
     * @param recycledLogs how many write-ahead logs that are no longer needed each database keeps to write over: a sync
     *     then finds the file as long as it was, and need not write to the journal of the file system too
     * @param damaged is called with damage that a read or write of an open database meets, before that throws and on
     *     its thread
     */
    public RocksResources(long cacheBytes, long memtableBytes, int recycledLogs, Consumer<String> damaged) {
        RocksDB.loadLibrary();
        this.cache = new HyperClockCache(cacheBytes, UNKNOWN_CHARGE, USUAL_SHARDS, false);
        this.writeBuffers = new WriteBufferManager(cacheBytes / 2, cache);
        this.bloom = new BloomFilter(BLOOM_BITS_PER_KEY);
        this.compaction = new CompactionOptionsUniversal().setMaxSizeAmplificationPercent(SPARE_PERCENT);
        this.memtableBytes = memtableBytes;
        this.recycledLogs = recycledLogs;
        this.damaged = damaged;
        yieldToOthers();
    }

    /**
     * Lowers the CPU priority of flushes, and of merges of a table's largest run, which get a separate thread. Flushes
     * hold up writes before they starve, and these merges can wait. Small merges keep their priority: where they
     * starve, every query has more runs to read.
     */
    private static void yieldToOthers() {
        Env threads = Env.getDefault();
        threads.lowerThreadPoolCPUPriority(Priority.HIGH);
        threads.setBackgroundThreads(1, Priority.BOTTOM);
        threads.lowerThreadPoolCPUPriority(Priority.BOTTOM);
    }

    Consumer<String> damaged() {
        return damaged;
    }

    DBOptions databaseOptions() {
        return new DBOptions()
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setWriteBufferManager(writeBuffers)
                // All tables reach the disk together: a lost write-ahead log then takes the newest batches, each as a
                // whole.
                .setAtomicFlush(true)
                .setMaxTotalWalSize(MAX_WAL_BYTES)
                .setManifestPreallocationSize(MANIFEST_STEP_BYTES)
                .setRecycleLogFileNum(recycledLogs)
                .setBytesPerSync(TABLE_SYNC_BYTES)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(2);
    }

    ColumnFamilyOptions tableOptions() {
        BlockBasedTableConfig blocks = new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setFilterPolicy(bloom)
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setPartitionFilters(true)
                .setEnableIndexCompression(false)
                .setFormatVersion(5);
        return new ColumnFamilyOptions()
                .setTableFormatConfig(blocks)
                .setWriteBufferSize(memtableBytes)
                .setCompactionStyle(CompactionStyle.UNIVERSAL)
                .setCompactionOptionsUniversal(compaction)
                .setCompressionType(CompressionType.LZ4_COMPRESSION);
    }

    @Override
    public void close() {
        compaction.close();
        bloom.close();
        writeBuffers.close();
        cache.close();
    }
}
