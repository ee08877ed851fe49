package dev.tidemark.index;

import dev.tidemark.row.BadInputException;

/** A row that an index cannot hold. The message names the index, the field and the reason, for the row's sender. */
public final class UnindexableRowException extends BadInputException {
    private static final long serialVersionUID = 1L;

    private final String index;

    public UnindexableRowException(IndexDefinition index, String reason) {
        super("index " + index.name() + " of table " + index.table() + " cannot hold this row: " + reason);
        this.index = index.name();
    }

    /** Name of the index that refuses the row. */
    public String index() {
        return index;
    }
}
