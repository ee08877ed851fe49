package dev.tidemark.writer.rocks;

import java.nio.file.Path;
import java.util.List;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.rocks.RocksTable;
import dev.tidemark.rocks.StoreException;

/** The database of a writer, opened and found to be of this format and catalog. */
public final class WriterDatabase implements AutoCloseable {
    private static final long FORMAT = 1;

    private final RocksDatabase database;
    private final TableRegistry tables;

    private WriterDatabase(RocksDatabase database, TableRegistry tables) {
        this.database = database;
        this.tables = tables;
    }

    /**
     * Opens the database, making it where it is absent.
     *
     * @throws CatalogDisagreesException when the catalog and the database define a table differently
     * @throws WrongFormatException when another version of the service wrote it
     * @throws FactsDamagedException when it is damaged
     */
    public static WriterDatabase open(Path path, Catalog catalog, RocksResources resources)
            throws CatalogDisagreesException, WrongFormatException, FactsDamagedException {
        try {
            return opened(path, catalog, resources);
        } catch (StoreException e) {
            if (e.isDamage()) {
                throw new FactsDamagedException(path, e);
            }
            throw e;
        }
    }

    private static WriterDatabase opened(Path path, Catalog catalog, RocksResources resources)
            throws CatalogDisagreesException, WrongFormatException {
        RocksDatabase database = RocksDatabase.open(path, WriterTable.diskNames(), resources);
        boolean opened = false;
        try {
            requireFormat(path, database);
            WriterDatabase result = new WriterDatabase(database, TableRegistry.open(database, catalog));
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
        return tables.definitions();
    }

    /** The technology below, for its readings. */
    public RocksDatabase database() {
        return database;
    }

    TableRegistry registry() {
        return tables;
    }

    RocksTable table(WriterTable table) {
        return database.table(table.diskName());
    }

    @Override
    public void close() {
        database.close();
    }

    private static void requireFormat(Path path, RocksDatabase database) throws WrongFormatException {
        RocksTable meta = database.table(WriterTable.META.diskName());
        byte[] found = database.get(meta, MetaKeys.FORMAT);
        if (found == null) {
            try (RocksBatch batch = new RocksBatch()) {
                database.write(batch.put(meta, MetaKeys.FORMAT, Bytes.ofLong(FORMAT)), true);
            }
        } else if (Bytes.toLong(found) != FORMAT) {
            throw new WrongFormatException(path, FORMAT, Bytes.toLong(found));
        }
    }
}
