package dev.tidemark.writer.commit;

import dev.tidemark.key.KeyBytes;

/** A row of a table. Comparable, so that a hash map can order keys for which clients forced equal hashes. */
record RowId(String table, KeyBytes key) implements Comparable<RowId> {
    @Override
    public int compareTo(RowId other) {
        int byKey = key.compareTo(other.key);
        return byKey == 0 ? table.compareTo(other.table) : byKey;
    }
}
