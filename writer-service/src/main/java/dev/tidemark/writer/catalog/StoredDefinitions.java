package dev.tidemark.writer.catalog;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.PolledValue;
import dev.tidemark.runtime.WakeupSignal;
import dev.tidemark.writer.commit.FactsUnavailableException;

/**
 * The definitions that another writer keeps in the database, read again after a moment by a thread: threads of the
 * network ask for them, and may not wait for a database. For any thread.
 */
public final class StoredDefinitions {
    private static final Duration READ_AGAIN = Duration.ofMillis(500);

    private final DefinitionStore store;
    private final Read file;
    private final PolledValue<Optional<Read>> latest;

    private record Read(Definitions definitions, Catalog catalog) {}

    /**
     * Definitions that were not read yet.
     *
     * @param file the tables before the first writer has stored any
     * @param wakeUp wakes the thread that reads them
     */
    public StoredDefinitions(DefinitionStore store, Catalog file, Clock clock, WakeupSignal wakeUp) {
        this.store = store;
        Definitions first = Definitions.first(file, clock.instant());
        this.file = new Read(first, first.catalog());
        this.latest = new PolledValue<>("definitions", READ_AGAIN, this::read, Optional.empty(), clock, wakeUp::ring);
    }

    /** Reads the definitions. To be run by one thread. */
    public Agent agent() {
        return latest;
    }

    /**
     * The definitions as they were read last.
     *
     * @throws FactsUnavailableException when they could not be read yet
     */
    public Definitions definitions() {
        return current().definitions();
    }

    /** Their tables; the same object until something changes. */
    public Catalog catalog() {
        return current().catalog();
    }

    private Read current() {
        return latest.get()
                .orElseThrow(() -> new FactsUnavailableException("the definitions of the tables were not read yet"));
    }

    private Optional<Read> read() throws BadDefinitionsException {
        Read known = latest.get().orElse(file);
        Definitions stored = store.load().orElse(known.definitions());
        return Optional.of(stored.equals(known.definitions()) ? known : new Read(stored, stored.catalog()));
    }
}
