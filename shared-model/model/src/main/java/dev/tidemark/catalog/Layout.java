package dev.tidemark.catalog;

/**
 * Partitions that a table has beside those which it began with, by the same hash of the primary key. A table that grows
 * or shrinks gets another layout. Each local index is built in it, and answers from it once it is complete there.
 *
 * @param number assigned once among all layouts and generations of a deployment, and never again
 * @param partitions 1 to {@value TableDefinition#MAX_PARTITIONS}
 */
public record Layout(long number, int partitions) {

    public Layout {
        if (number < 1) {
            throw new IllegalArgumentException("Expected layouts from 1, but got " + number);
        }
        TableDefinition.requirePartitions("a layout", partitions);
    }
}
