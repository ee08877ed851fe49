package dev.tidemark.writer.catalog;

import java.util.Optional;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Definitions;

/** Where the writer keeps the definitions in force; for any thread. */
public interface DefinitionStore {
    /**
     * What was saved last; empty before the first time.
     *
     * @throws BadDefinitionsException when it cannot be read, as when a newer version of the writer saved it
     */
    Optional<Definitions> load() throws BadDefinitionsException;

    /**
     * Replaces what is kept. Once this returns, no power cut undoes it. When it throws, either may be kept: a database
     * may have stored it, and its answer was lost.
     */
    void save(Definitions definitions);

    /**
     * The secret of this deployment as hexadecimal digits, made and synced by the first call; copies of the database
     * have it too.
     */
    String secret();
}
