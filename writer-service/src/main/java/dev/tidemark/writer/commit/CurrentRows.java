package dev.tidemark.writer.commit;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;

/** What a store holds before a group, for the committer alone. */
record CurrentRows(FactStore store) implements GroupPlanner.Rows {
    @Override
    public @Nullable StoredRow find(String table, KeyBytes key) {
        return store.current(table, key);
    }

    @Override
    public Optional<SourcePosition> position(String source) {
        return store.currentPosition(source);
    }
}
