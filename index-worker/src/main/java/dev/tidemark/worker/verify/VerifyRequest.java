package dev.tidemark.worker.verify;

import java.util.List;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;

/**
 * What is to be compared.
 *
 * @param generations of indexes of the table
 * @param mode how thoroughly
 */
public record VerifyRequest(TableDefinition table, List<Generation> generations, Mode mode) {
    /** How thoroughly. Both look at every entry. */
    public enum Mode {
        /**
         * Where the digests of the table are equal to those of its indexes, entries are held against these, and one in a
         * hundred against its row. Otherwise rows of the table are compared by their versions, and one in a hundred by what it
         * gives.
         */
        QUICK,
        /** Every row of the table is compared by what it gives. */
        FULL
    }

    public VerifyRequest {
        generations = List.copyOf(generations);
    }
}
