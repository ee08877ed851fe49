package dev.tidemark.writer.outbox;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Deletes whose rows are to be forgotten, oldest first. A commit adds to it; the relay alone takes from it. */
public interface Tombstones {
    /**
     * The oldest ones. Where there are many of the tables to be left out, one call may return fewer than there are; the
     * next ones return the others.
     *
     * @param until only deletes committed at or before this time
     * @param except no deletes of these tables
     * @param limit most of them
     */
    List<Tombstone> due(Instant until, Set<String> except, int limit);

    /**
     * Deletes of one table, oldest first.
     *
     * @param after only those after this one
     * @param limit most of them
     */
    List<Tombstone> of(String table, Optional<Tombstone> after, int limit);

    /** Whether the row was deleted again since, so that the later delete alone may have it forgotten. */
    boolean isSuperseded(Tombstone tombstone);

    /** Removes some; may be undone by a power cut, after which they fall due again. */
    void remove(List<Tombstone> done);
}
