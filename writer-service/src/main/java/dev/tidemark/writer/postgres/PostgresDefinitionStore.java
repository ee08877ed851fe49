package dev.tidemark.writer.postgres;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.writer.catalog.DefinitionStore;

/** The definitions in force, as JSON beside the fact tables. */
record PostgresDefinitionStore(NamedValues values) implements DefinitionStore {
    private static final String DEFINITIONS = "definitions";
    private static final String SECRET = "definitions.secret";
    private static final int SECRET_BYTES = 32;

    @Override
    public Optional<Definitions> load() throws BadDefinitionsException {
        Optional<String> stored = values.get(DEFINITIONS);
        return stored.isEmpty()
                ? Optional.empty()
                : Optional.of(DefinitionsJson.read(stored.get().getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void save(Definitions definitions) {
        values.put(DEFINITIONS, new String(DefinitionsJson.write(definitions), StandardCharsets.UTF_8), true);
    }

    @Override
    public String secret() {
        return values.get(SECRET).orElseGet(() -> {
            byte[] made = new byte[SECRET_BYTES];
            new SecureRandom().nextBytes(made);
            return values.add(SECRET, HexFormat.of().formatHex(made));
        });
    }
}
