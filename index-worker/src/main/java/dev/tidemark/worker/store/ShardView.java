package dev.tidemark.worker.store;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.row.RowVersion;

/** A shard at one moment. Belongs to the thread that opened it. */
public interface ShardView extends AutoCloseable {
    ShardCheckpoint checkpoint();

    /**
     * Entries of a generation within a range; none where the shard does not hold it.
     *
     * @param order from the low end or from the high end of the range
     * @throws GenerationGoneException when it has been dropped since the view was opened
     */
    EntryScan scan(long generation, KeyRange range, Order order);

    /**
     * About how many bytes the entries of a generation take now, whenever the view is of; none where the shard does not
     * hold it.
     */
    StoredBytes approximateBytes(long generation);

    /** All rows that anything is known of, in the order of their primary keys. */
    RowScan scanRows();

    /** Returns rows that a generation cannot hold, in the order of their keys, at most {@code limit}. */
    List<RefusedRow> refused(long generation, int limit);

    /** Newest versions of rows, in the order of the keys; empty for a row that is not known. */
    List<Optional<RowVersion>> versions(List<KeyBytes> primaryKeys);

    /** What is known of a row; empty when nothing is. */
    Optional<RowState> rowState(KeyBytes primaryKey);

    /** The quarantined record of that record key; empty when there is none. */
    Optional<QuarantinedRecord> quarantined(KeyBytes recordKey);

    /**
     * Passes quarantined records to a receiver, in the order of their keys. One record is in memory at a time, since
     * each may be as large as a row.
     *
     * @param receiver takes a record, and returns whether it wants another
     */
    void quarantine(Predicate<QuarantinedRecord> receiver);

    /**
     * Passes the names of quarantined records to a receiver, about in the order of their keys, without reading the
     * records.
     *
     * @param receiver takes a name, and returns whether it wants another
     */
    void quarantinedNames(Predicate<QuarantinedName> receiver);

    /**
     * Returns the same view, restricted to memory. It finds entries and versions in memory or fails, so that a reader
     * never waits for a disk.
     */
    ShardView inMemory();

    @Override
    void close();
}
