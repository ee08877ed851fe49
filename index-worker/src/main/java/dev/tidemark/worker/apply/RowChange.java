package dev.tidemark.worker.apply;

import java.util.List;
import java.util.Optional;

import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowState;

/** What one event means for one row. */
public sealed interface RowChange {
    /** The event is not new; nothing changes. */
    record Stale() implements RowChange {}

    /**
     * The event is the row's new state.
     *
     * @param state what is known of the row afterwards; empty to forget it
     * @param mutations the entries that change, and no others
     */
    record Applied(Optional<RowState> state, List<IndexMutation> mutations) implements RowChange {
        public Applied {
            mutations = List.copyOf(mutations);
        }

        /** The same, with when it came about. */
        Applied at(RowState.Times times) {
            return new Applied(state.map(known -> known.at(times)), mutations);
        }
    }

    /**
     * The event cannot be applied.
     *
     * @param reason what was expected and found
     */
    record Poison(String reason) implements RowChange {}
}
