package dev.tidemark.worker.store;

import dev.tidemark.key.KeyBytes;

/**
 * Walks entries. Stands on the first when opened: {@code for (; scan.isValid(); scan.next())}. Close before the view.
 */
public interface EntryScan extends AutoCloseable {
    /** A walk over nothing. */
    EntryScan NONE = new EntryScan() {
        @Override
        public boolean isValid() {
            return false;
        }

        @Override
        public KeyBytes key() {
            throw new IllegalStateException("Expected an entry, but there is none");
        }

        @Override
        public KeyBytes carried() {
            throw new IllegalStateException("Expected an entry, but there is none");
        }

        @Override
        public void next() {
            throw new IllegalStateException("Expected an entry, but there is none");
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    };

    boolean isValid();

    /** Whole entry key: index key parts, then primary key. */
    KeyBytes key();

    /** What the entry carries of its row, as JSON; empty for a reference. */
    KeyBytes carried();

    void next();

    @Override
    void close();
}
