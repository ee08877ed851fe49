package dev.tidemark.writer.rocks;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.backup.BackupSource;
import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.checksum.ChecksumScanTarget;
import dev.tidemark.rocks.RocksChecksumScan;
import dev.tidemark.rocks.RocksGauges;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.runtime.GaugeValue;
import dev.tidemark.writer.catalog.DefinitionStore;
import dev.tidemark.writer.commit.DiskFailure;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.commit.FactsDamagedException;
import dev.tidemark.writer.database.CatalogDisagreesException;
import dev.tidemark.writer.database.FactDatabase;
import dev.tidemark.writer.outbox.Outbox;
import dev.tidemark.writer.outbox.Tombstones;
import dev.tidemark.writer.outbox.TopicLedger;
import dev.tidemark.writer.recovery.NewerFormatException;

/** A writer's database in RocksDB, in a directory that one process at a time opens. */
public final class RocksFactDatabase implements FactDatabase {
    private static final String FACTS = "facts";
    private static final int RECYCLED_LOGS = 2;

    private final RocksResources resources;
    private final WriterDatabase database;
    private final FactsDamage damage;
    private final DiskFailure disk = new DiskFailure();
    private final FactStore facts;
    private final Outbox outbox;
    private final Tombstones tombstones;

    /**
     * Memory of the database.
     *
     * @param cache block cache and memtables, in bytes
     * @param memtable one memtable, in bytes
     * @param rows heap for the rows that were replaced last, in bytes; 0 for none
     */
    public record Memory(long cache, long memtable, long rows) {}

    private RocksFactDatabase(RocksResources resources, WriterDatabase database, FactsDamage damage, long rows) {
        this.resources = resources;
        this.database = database;
        this.damage = damage;
        this.facts = new RocksFactStore(database, rows, disk);
        this.outbox = new RocksOutbox(database);
        this.tombstones = new RocksTombstones(database);
    }

    /**
     * Opens the database of a data directory, making it where it is absent.
     *
     * @param damage is notified of damage that is found while it is open
     * @throws CatalogDisagreesException when the catalog and the database define a table differently
     * @throws NewerFormatException when a newer version of the service wrote it
     * @throws FactsDamagedException when it is damaged
     */
    public static RocksFactDatabase open(Path dataDirectory, Catalog catalog, Memory memory, FactsDamage damage)
            throws CatalogDisagreesException, NewerFormatException, FactsDamagedException {
        RocksResources resources = new RocksResources(memory.cache(), memory.memtable(), RECYCLED_LOGS, damage::found);
        boolean opened = false;
        try {
            WriterDatabase database = WriterDatabase.open(dataDirectory.resolve(FACTS), catalog, resources);
            opened = true;
            return new RocksFactDatabase(resources, database, damage, memory.rows());
        } finally {
            if (!opened) {
                resources.close();
            }
        }
    }

    @Override
    public FactStore facts() {
        return facts;
    }

    @Override
    public Outbox outbox() {
        return outbox;
    }

    @Override
    public Tombstones tombstones() {
        return tombstones;
    }

    @Override
    public TopicLedger ledger() {
        return new RocksTopicLedger(database);
    }

    @Override
    public DefinitionStore definitions() {
        return new RocksDefinitionStore(database);
    }

    @Override
    public List<TableDefinition> tables() {
        return database.tables();
    }

    @Override
    public void keepPartitions(Catalog stored) {
        database.keepPartitions(stored);
    }

    @Override
    public Optional<String> failure() {
        return disk.refusal();
    }

    @Override
    public Map<String, BackupSource> backupSources() {
        return Map.of(FACTS, database.database()::copyTo);
    }

    @Override
    public List<ChecksumScanTarget> checksumTargets() {
        return List.of(new RocksChecksumScan(database.database(), damage::found));
    }

    @Override
    public List<GaugeValue> gauges() {
        return RocksGauges.of(() -> List.of(database.database()));
    }

    @Override
    public void close() {
        try (resources) {
            database.close();
        }
    }
}
