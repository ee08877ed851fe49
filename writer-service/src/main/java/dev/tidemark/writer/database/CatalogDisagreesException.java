package dev.tidemark.writer.database;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.row.BadInputException;

/** The catalog defines a table differently than it did when the first row of the table was written. */
public final class CatalogDisagreesException extends BadInputException {
    private static final long serialVersionUID = 1L;

    private CatalogDisagreesException(String table, String what, Object recorded, Object found) {
        super("the " + what + " of table " + table + " cannot be changed: the database has " + recorded
                + ", but the catalog says " + found + "; restore the catalog, or begin with an empty database");
    }

    /** Requires that what decides where a row is has not changed: the number of partitions and the primary key. */
    public static void requireSame(TableDefinition known, TableDefinition table) throws CatalogDisagreesException {
        if (known.partitions() != table.partitions()) {
            throw new CatalogDisagreesException(
                    table.name(), "number of partitions", known.partitions(), table.partitions());
        }
        if (!known.primaryKey().equals(table.primaryKey())) {
            throw new CatalogDisagreesException(table.name(), "primary key", known.primaryKey(), table.primaryKey());
        }
    }
}
