package dev.tidemark.worker.apply;

import java.util.Optional;

import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Entries;

/**
 * How often updates changed the keys of rows in one generation of an index, in one batch. Belongs to the applying
 * thread.
 */
public final class KeyChanges {
    private long updates;
    private long moved;

    /** Rows that were there before and after a change, and for which the generation was derived both times. */
    public long updates() {
        return updates;
    }

    /** Those of them that have other keys in it than before. */
    public long moved() {
        return moved;
    }

    /** Counts the change of one row. The same version again is no change. */
    void note(long generation, Optional<RowState> before, Optional<RowState> after) {
        if (before.isEmpty()
                || after.isEmpty()
                || before.get().version().equals(after.get().version())) {
            return;
        }
        Entries then = before.get().entries().get(generation);
        Entries now = after.get().entries().get(generation);
        if (then != null && now != null && before.get().isLive() && after.get().isLive()) {
            updates++;
            moved += then.keys().equals(now.keys()) ? 0 : 1;
        }
    }
}
