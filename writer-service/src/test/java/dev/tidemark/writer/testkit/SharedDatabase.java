package dev.tidemark.writer.testkit;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.backup.BackupSource;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.checksum.ChecksumScanTarget;
import dev.tidemark.runtime.GaugeValue;
import dev.tidemark.writer.catalog.DefinitionStore;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.database.FactDatabase;
import dev.tidemark.writer.leader.CommitTerms;
import dev.tidemark.writer.outbox.Outbox;
import dev.tidemark.writer.outbox.Tombstones;
import dev.tidemark.writer.outbox.TopicLedger;

/** A database that several writers reach, as one of them sees it. */
public final class SharedDatabase implements FactDatabase {
    private final WriterStores stores;
    private final CommitTerms terms;

    public SharedDatabase(InMemoryDisk disk, InMemoryTerms terms) {
        this.stores = WriterStores.on(disk);
        this.terms = terms.process();
    }

    @Override
    public FactStore facts() {
        return stores.facts();
    }

    @Override
    public Outbox outbox() {
        return stores.outbox();
    }

    @Override
    public Tombstones tombstones() {
        return stores.tombstones();
    }

    @Override
    public TopicLedger ledger() {
        return stores.ledger();
    }

    @Override
    public DefinitionStore definitions() {
        return stores.definitions();
    }

    @Override
    public List<TableDefinition> tables() {
        return TestTables.CATALOG.tables();
    }

    @Override
    public Optional<CommitTerms> terms() {
        return Optional.of(terms);
    }

    @Override
    public Optional<String> identity() {
        return Optional.of("shared");
    }

    @Override
    public Optional<String> failure() {
        return Optional.empty();
    }

    @Override
    public Map<String, BackupSource> backupSources() {
        return Map.of();
    }

    @Override
    public List<ChecksumScanTarget> checksumTargets() {
        return List.of();
    }

    @Override
    public List<GaugeValue> gauges() {
        return List.of();
    }

    @Override
    public void close() {}
}
