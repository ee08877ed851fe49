package dev.tidemark.worker.store;

import dev.tidemark.key.KeyBytes;

/** One change to one index of a shard. */
public sealed interface IndexMutation {
    /** Position of the index among the table's indexes. */
    int index();

    /** Whole entry key: index key parts, then primary key. */
    KeyBytes key();

    /**
     * The entry is there afterwards, whether or not it was before.
     *
     * @param carried the projected part of the row as JSON; empty for a reference
     */
    record PutEntry(int index, KeyBytes key, KeyBytes carried) implements IndexMutation {}

    /** The entry is gone afterwards. */
    record RemoveEntry(int index, KeyBytes key) implements IndexMutation {}
}
