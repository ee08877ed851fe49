package dev.tidemark.writer.catalog;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;

/** The definitions that another writer keeps in the database, read again after a moment. For any thread. */
public final class StoredDefinitions {
    private static final Duration READ_AGAIN = Duration.ofMillis(500);

    private final DefinitionStore store;
    private final Clock clock;
    private Instant readAt = Instant.MIN;
    private Read read;

    private record Read(Definitions definitions, Catalog catalog) {}

    /**
     * Reads the definitions.
     *
     * @param file the tables before the first writer has stored any
     */
    public StoredDefinitions(DefinitionStore store, Catalog file, Clock clock) {
        this.store = store;
        this.clock = clock;
        Definitions first = Definitions.first(file, clock.instant());
        this.read = new Read(first, first.catalog());
    }

    /** The definitions. */
    public Definitions definitions() {
        return current().definitions();
    }

    /** Their tables; the same object until something changes. */
    public Catalog catalog() {
        return current().catalog();
    }

    private synchronized Read current() {
        Instant now = clock.instant();
        if (!now.isBefore(readAt.plus(READ_AGAIN))) {
            Definitions stored = load();
            if (!stored.equals(read.definitions())) {
                read = new Read(stored, stored.catalog());
            }
            readAt = now;
        }
        return read;
    }

    private Definitions load() {
        try {
            return store.load().orElse(read.definitions());
        } catch (BadDefinitionsException e) {
            throw new IllegalStateException("Expected definitions that this version of the writer can read", e);
        }
    }
}
