package dev.tidemark.writer.rocks;

import java.nio.file.Path;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.writer.commit.DiskFailure;
import dev.tidemark.writer.commit.FactsDamagedException;
import dev.tidemark.writer.database.CatalogDisagreesException;
import dev.tidemark.writer.recovery.NewerFormatException;
import dev.tidemark.writer.testkit.StoreFixture;
import dev.tidemark.writer.testkit.TestTables;
import dev.tidemark.writer.testkit.WriterStores;

/** Stores in a RocksDB database. */
final class RocksFixture implements StoreFixture {
    private final Path directory;
    private final RocksResources resources = new RocksResources(8 << 20, 1 << 20, 2, what -> {});
    private WriterDatabase database;
    private WriterStores stores;

    RocksFixture(Path directory) {
        this.directory = directory;
        this.database = open(directory, TestTables.CATALOG, resources);
        this.stores = stores(database);
    }

    static WriterDatabase open(Path directory, Catalog catalog, RocksResources resources) {
        try {
            return WriterDatabase.open(directory, catalog, resources);
        } catch (CatalogDisagreesException | NewerFormatException | FactsDamagedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public WriterStores stores() {
        return stores;
    }

    @Override
    public WriterStores reopened() {
        database.close();
        database = open(directory, TestTables.CATALOG, resources);
        stores = stores(database);
        return stores;
    }

    @Override
    public void close() {
        database.close();
        resources.close();
    }

    private static WriterStores stores(WriterDatabase database) {
        return new WriterStores(
                new RocksFactStore(database, 1 << 20, new DiskFailure()),
                new RocksOutbox(database),
                new RocksTombstones(database),
                new RocksTopicLedger(database),
                new RocksDefinitionStore(database));
    }
}
