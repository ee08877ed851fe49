package dev.tidemark.writer.rocks;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksTable;
import dev.tidemark.writer.catalog.DefinitionStore;

/** The definitions in force, as JSON beside the fact tables. */
public final class RocksDefinitionStore implements DefinitionStore {
    private static final int SECRET_BYTES = 32;

    private final RocksDatabase database;
    private final RocksTable meta;

    public RocksDefinitionStore(WriterDatabase writer) {
        this.database = writer.database();
        this.meta = writer.table(WriterTable.META);
    }

    @Override
    public Optional<Definitions> load() {
        byte[] stored = database.get(meta, MetaKeys.DEFINITIONS);
        if (stored == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(DefinitionsJson.read(stored));
        } catch (BadDefinitionsException e) {
            throw new IllegalStateException("Expected the definitions in force beside the fact tables", e);
        }
    }

    @Override
    public void save(Definitions definitions) {
        try (RocksBatch batch = new RocksBatch()) {
            database.write(batch.put(meta, MetaKeys.DEFINITIONS, DefinitionsJson.write(definitions)), true);
        }
    }

    @Override
    public synchronized String secret() {
        byte[] stored = database.get(meta, MetaKeys.SECRET);
        if (stored == null) {
            stored = new byte[SECRET_BYTES];
            new SecureRandom().nextBytes(stored);
            try (RocksBatch batch = new RocksBatch()) {
                database.write(batch.put(meta, MetaKeys.SECRET, stored), true);
            }
        }
        return HexFormat.of().formatHex(stored);
    }
}
