package dev.tidemark.worker.store;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

/** One change to one generation of an index in a shard. */
public sealed interface IndexMutation {
    /** Number of the generation. */
    long generation();

    /** What is changed: a whole entry key (index key parts, then primary key), or a primary key. */
    KeyBytes key();

    /**
     * The entry is there afterwards, whether or not it was before.
     *
     * @param carried the projected part of the row as JSON; empty for a reference
     */
    record PutEntry(long generation, KeyBytes key, KeyBytes carried) implements IndexMutation {}

    /** The entry is gone afterwards. */
    record RemoveEntry(long generation, KeyBytes key) implements IndexMutation {}

    /**
     * The row is afterwards among those that the index cannot hold.
     *
     * @param key its primary key
     * @param reason what was expected and found
     */
    record Refuse(long generation, KeyBytes key, RowVersion version, String reason) implements IndexMutation {}

    /**
     * The row is afterwards not among those that the index cannot hold.
     *
     * @param key its primary key
     */
    record Accept(long generation, KeyBytes key) implements IndexMutation {}
}
