package dev.tidemark.writer.rocks;

import dev.tidemark.row.BadInputException;

/** The catalog defines a table differently than it did when the first row of the table was written. */
public final class CatalogDisagreesException extends BadInputException {
    private static final long serialVersionUID = 1L;

    CatalogDisagreesException(String table, String what, Object recorded, Object found) {
        super("the " + what + " of table " + table + " cannot be changed: the data directory has " + recorded
                + ", but the catalog says " + found + "; restore the catalog, or begin with a new data directory");
    }
}
