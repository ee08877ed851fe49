package dev.tidemark.writer.rocks;

import java.nio.file.Path;
import java.util.List;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.rocks.RocksTable;
import dev.tidemark.rocks.StoreException;
import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.commit.FactsDamagedException;
import dev.tidemark.writer.database.CatalogDisagreesException;
import dev.tidemark.writer.recovery.NewerFormatException;

/** The database of a writer, opened and found to be of this format and catalog. */
public final class WriterDatabase implements AutoCloseable {
    private static final long FORMAT = 1;

    /** The names of its tables, which are part of the format on disk. */
    private static final String FACTS = "facts";

    private static final String OUTBOX = "outbox";
    private static final String TOMBSTONES = "tombstones";
    private static final String DELETED = "deleted";
    private static final String META = "meta";

    final RocksDatabase database;
    /** Table id, primary key ⇒ version, commit time, row as JSON. */
    final RocksTable facts;
    /** Sequence ⇒ change. */
    final RocksTable outbox;
    /** What topics are to forget, see {@link TombstoneFormat}. */
    final RocksTable tombstones;
    /** What a tombstone is of ⇒ sequence of its newest delete, until that is dealt with as a tombstone. */
    final RocksTable deleted;
    /** Name ⇒ value, see {@link MetaKeys}. */
    final RocksTable meta;

    final TableRegistry registry;

    private WriterDatabase(RocksDatabase database, TableRegistry registry) {
        this.database = database;
        this.facts = database.table(FACTS);
        this.outbox = database.table(OUTBOX);
        this.tombstones = database.table(TOMBSTONES);
        this.deleted = database.table(DELETED);
        this.meta = database.table(META);
        this.registry = registry;
    }

    /**
     * Opens the database, making it where it is absent.
     *
     * @throws CatalogDisagreesException when the catalog and the database define a table differently
     * @throws NewerFormatException when a newer version of the service wrote it
     * @throws FactsDamagedException when it is damaged
     */
    public static WriterDatabase open(Path path, Catalog catalog, RocksResources resources)
            throws CatalogDisagreesException, NewerFormatException, FactsDamagedException {
        try {
            return opened(path, catalog, resources);
        } catch (StoreException e) {
            if (e.isDamage()) {
                throw new FactsDamagedException(
                        "the fact tables at " + path + " are damaged: " + e.getMessage() + "; " + FactsDamage.REMEDY,
                        e);
            }
            throw e;
        }
    }

    private static WriterDatabase opened(Path path, Catalog catalog, RocksResources resources)
            throws CatalogDisagreesException, NewerFormatException {
        RocksDatabase database = RocksDatabase.open(path, List.of(FACTS, OUTBOX, TOMBSTONES, DELETED, META), resources);
        boolean opened = false;
        try {
            RocksTable meta = database.table(META);
            requireFormat(path, database, meta);
            WriterDatabase result = new WriterDatabase(database, TableRegistry.open(database, meta, catalog));
            opened = true;
            return result;
        } finally {
            if (!opened) {
                database.close();
            }
        }
    }

    /** Every table that it has, those gone from the catalog included; without indexes. */
    public List<TableDefinition> tables() {
        return registry.definitions();
    }

    /** As {@link dev.tidemark.writer.database.FactDatabase#keepPartitions}; for the thread that opened it. */
    public void keepPartitions(Catalog stored) {
        registry.keepPartitions(database, meta, stored);
    }

    /** The technology below, for its readings. */
    public RocksDatabase database() {
        return database;
    }

    @Override
    public void close() {
        database.close();
    }

    private static void requireFormat(Path path, RocksDatabase database, RocksTable meta) throws NewerFormatException {
        byte[] found = database.get(meta, MetaKeys.FORMAT);
        if (found == null) {
            database.put(meta, MetaKeys.FORMAT, Bytes.ofLong(FORMAT), true);
        } else if (Bytes.toLong(found) != FORMAT) {
            throw new NewerFormatException(path, FORMAT, Bytes.toLong(found));
        }
    }
}
