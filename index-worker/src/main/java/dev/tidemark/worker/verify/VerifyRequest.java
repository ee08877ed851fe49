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
    /** How thoroughly. All look at every entry. */
    public enum Mode {
        /**
         * Where the digests of the table are equal to those of its indexes, entries are held against these, and one in
         * a hundred against its row. Otherwise rows of the table are compared by their versions, and one in a hundred
         * by what it gives.
         */
        QUICK,
        /**
         * As {@link #QUICK} where the digests are equal, and as {@link #FULL} otherwise: what comes out settles whether
         * a generation is equal to its table. Of a large table it waits a while for digests that are not known yet.
         */
        PROOF,
        /** Every row of the table is compared by what it gives. */
        FULL;

        /** Whether equal digests spare the rows of the table. */
        boolean trustsDigests() {
            return this != FULL;
        }

        /**
         * Whether rows, where they are compared, are compared by what they give, so that what is found equal is proven.
         */
        boolean settles() {
            return this != QUICK;
        }
    }

    public VerifyRequest {
        generations = List.copyOf(generations);
    }

    /** Where rows of the table are. */
    RowShards homes() {
        return new RowShards(table, generations);
    }
}
