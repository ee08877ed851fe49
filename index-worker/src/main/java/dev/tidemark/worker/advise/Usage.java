package dev.tidemark.worker.advise;

import java.time.Duration;

/**
 * How one generation of an index was queried and updated since processes began.
 *
 * @param queries the number of answered queries
 * @param fetches the number of these queries that fetched the rows
 * @param updates changes of rows that existed before and after
 * @param moved the number of these updates that changed the keys of the row in the index
 * @param watched how long queries were possible: since the process began, or since the index could first answer
 * @param keys those that took most changes
 */
public record Usage(long queries, long fetches, long updates, long moved, Duration watched, HeavyKeys keys) {
    /** Usage without any sampled change. */
    public Usage(long queries, long fetches, long updates, long moved, Duration watched) {
        this(queries, fetches, updates, moved, watched, HeavyKeys.NONE);
    }

    /** Both together, as far as both were watched. */
    public Usage plus(Usage other) {
        return new Usage(
                queries + other.queries,
                fetches + other.fetches,
                updates + other.updates,
                moved + other.moved,
                watched.compareTo(other.watched) < 0 ? watched : other.watched,
                keys.plus(other.keys));
    }

    /** The part of the updates that moved entries, from 0 to 1; 0 without updates. */
    public double movedShare() {
        return updates == 0 ? 0 : (double) moved / updates;
    }
}
