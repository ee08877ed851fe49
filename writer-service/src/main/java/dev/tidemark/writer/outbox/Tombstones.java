package dev.tidemark.writer.outbox;

import java.time.Instant;
import java.util.List;

/** Deletes whose rows are to be forgotten, oldest first. A commit adds to it; the relay alone takes from it. */
public interface Tombstones {
    /**
     * The oldest ones.
     *
     * @param until only deletes committed at or before this time
     * @param limit most of them
     */
    List<Tombstone> due(Instant until, int limit);

    /** Whether the row was deleted again since, so that the later delete alone may have it forgotten. */
    boolean isSuperseded(Tombstone tombstone);

    /** Removes some; may be undone by a power cut, after which they fall due again. */
    void remove(List<Tombstone> done);
}
