package dev.tidemark.writer.outbox;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Deletes whose rows are to be forgotten, oldest first. A commit adds to it; the relay alone takes from it. */
public interface Tombstones {
    /**
     * The oldest ones of all tables. A caller that wants those of some tables leaves out the others, so that no call
     * walks over more than it returns.
     *
     * @param until only deletes committed at or before this time
     * @param after only those after this one
     * @param limit most of them; fewer are returned only where there are no more
     */
    List<Tombstone> due(Instant until, Optional<Tombstone> after, int limit);

    /** Whether the row was deleted again since, so that the later delete alone may have it forgotten. */
    boolean isSuperseded(Tombstone tombstone);

    /** Removes some; may be undone by a power cut, after which they fall due again. */
    void remove(List<Tombstone> done);
}
