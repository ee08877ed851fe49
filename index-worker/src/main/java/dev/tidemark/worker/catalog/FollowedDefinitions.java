package dev.tidemark.worker.catalog;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;

/** The newest definitions that the writer has confirmed, for any thread. They only ever move forward. */
public final class FollowedDefinitions implements Supplier<Definitions> {
    private static final Definitions NONE = new Definitions(1, Instant.EPOCH, List.of(), 1);

    private volatile Optional<Definitions> newest = Optional.empty();
    private volatile Definitions layout = NONE;
    private volatile BareNames names = BareNames.NONE;
    private volatile Optional<String> trouble = Optional.empty();

    /** The definitions in force; without any table until {@link #isKnown()}. */
    @Override
    public Definitions get() {
        return newest.orElse(NONE);
    }

    /** The tables with the current definitions of their indexes; none until {@link #isKnown()}. */
    public Catalog catalog() {
        return get().catalog();
    }

    /** What topics and shards hold of the definitions in force. */
    public Definitions layout() {
        return layout;
    }

    /** Names of the tables that have topics and shards. */
    public List<String> tableNames() {
        return layout().tables().stream().map(DesiredTable::name).toList();
    }

    /** What the bare names of the indexes in force, and of those before, meant first. */
    public BareNames names() {
        return names;
    }

    /** Whether any definitions are known. */
    public boolean isKnown() {
        return newest.isPresent();
    }

    /** What keeps newer definitions from coming into force; empty when nothing does. */
    public Optional<String> trouble() {
        return trouble;
    }

    void trouble(Optional<String> what) {
        trouble = what;
    }

    /**
     * Takes what the writer has confirmed.
     *
     * @param meant what the bare names mean that it has
     * @return whether it is newer than what was known, and so in force now
     */
    public synchronized boolean offer(Definitions read, BareNames meant) {
        boolean newer = newest.isEmpty() || read.version() > newest.get().version();
        if (newer) {
            // Before the definitions: a thread that sees a name in them then looks up its meaning.
            names = meant;
            layout = read.layout();
            newest = Optional.of(read);
        }
        return newer;
    }
}
