package dev.tidemark.row;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A row of which only some fields have been read.
 *
 * @param fields those that were asked for, as far as the row has them
 * @param whole the row itself
 */
public record PartialRow(ObjectNode fields, RowDocument whole) {
    /** A row of which every field has been read. */
    public static PartialRow of(RowDocument row) {
        return new PartialRow(row.tree(), row);
    }
}
