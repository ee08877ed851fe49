package dev.tidemark.worker.advise;

import java.util.List;

import dev.tidemark.row.FieldValue;

/**
 * How the entries of an index are spread over the values of the first part of its key.
 *
 * @param entries the number of entries
 * @param distinct the number of different values if the walk is complete, otherwise a lower bound of it
 * @param complete whether the walk came to the end of every shard
 * @param heaviest the values with the most entries, heaviest first; at most {@value #HEAVIEST}
 * @param keyBytes mean length of an entry key
 * @param carriedBytes mean length of the projected fields of an entry
 */
public record KeyShape(
        long entries, long distinct, boolean complete, List<Weight> heaviest, double keyBytes, double carriedBytes) {
    /** The maximum number of values in {@code heaviest}. */
    public static final int HEAVIEST = 8;

    /**
     * A value and the number of its entries.
     *
     * @param entries a lower bound; the exact number if all entries of the value were counted
     */
    public record Weight(FieldValue value, long entries) {}

    public KeyShape {
        heaviest = List.copyOf(heaviest);
    }

    /** Length of all entries, before compression. */
    public long bytes() {
        return Math.round(entries * (keyBytes + carriedBytes));
    }

    /** The part of the entries that have a value, 0 to 1. */
    public double share(Weight weight) {
        return entries == 0 ? 0 : (double) weight.entries() / entries;
    }
}
