package dev.tidemark.writer.rocks;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.writer.catalog.DefinitionStore;

/** The definitions in force, as JSON beside the fact tables. */
public record RocksDefinitionStore(WriterDatabase writer) implements DefinitionStore {
    private static final int SECRET_BYTES = 32;

    @Override
    public Optional<Definitions> load() throws BadDefinitionsException {
        byte[] stored = writer.database.get(writer.meta, MetaKeys.DEFINITIONS);
        return stored == null ? Optional.empty() : Optional.of(DefinitionsJson.read(stored));
    }

    @Override
    public void save(Definitions definitions) {
        writer.database.put(writer.meta, MetaKeys.DEFINITIONS, DefinitionsJson.write(definitions), true);
    }

    @Override
    public synchronized String secret() {
        byte[] stored = writer.database.get(writer.meta, MetaKeys.SECRET);
        if (stored == null) {
            stored = new byte[SECRET_BYTES];
            new SecureRandom().nextBytes(stored);
            writer.database.put(writer.meta, MetaKeys.SECRET, stored, true);
        }
        return HexFormat.of().formatHex(stored);
    }
}
