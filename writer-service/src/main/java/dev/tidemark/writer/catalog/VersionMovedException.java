package dev.tidemark.writer.catalog;

import java.util.List;

import dev.tidemark.catalog.IndexChange;

/** The definitions in force are not those that a change was made from: another client changed them meanwhile. */
public final class VersionMovedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final long version;
    private final transient List<IndexChange> meanwhile;

    VersionMovedException(long expected, long version, List<IndexChange> meanwhile) {
        super("expected version " + expected + " of the definitions, but version " + version + " is in force");
        this.version = version;
        this.meanwhile = List.copyOf(meanwhile);
    }

    /** The version in force. */
    public long version() {
        return version;
    }

    /**
     * What was changed since the expected version; empty when nothing but orders came between, or it is too long ago.
     */
    public List<IndexChange> meanwhile() {
        return meanwhile;
    }
}
