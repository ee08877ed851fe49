package dev.tidemark.index;

import java.util.List;

import dev.tidemark.row.FieldPath;

/** What an entry carries of its row: the three strategies of the index table pattern. */
public sealed interface Projection {

    /** The whole row: full denormalization. */
    record All() implements Projection {}

    /** Nothing but the primary key: a normalized reference. */
    record KeysOnly() implements Projection {}

    /**
     * Some fields: partial normalization, a covering index.
     *
     * @param paths the fields, in the order in which the row part of an answer shows them; at least one
     */
    record Fields(List<FieldPath> paths) implements Projection {
        public Fields {
            paths = List.copyOf(paths);
            if (paths.isEmpty()) {
                throw new IllegalArgumentException("Expected at least one projected field, but got none");
            }
        }
    }
}
