package dev.tidemark.writer.testkit;

import java.util.Iterator;

import org.jspecify.annotations.Nullable;

import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.KeyedRow;

/** A copy of a table. */
record InMemoryFactSnapshot(CommitPosition point, Iterator<KeyedRow> rows) implements FactSnapshot {
    @Override
    public @Nullable KeyedRow next() {
        return rows.hasNext() ? rows.next() : null;
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
