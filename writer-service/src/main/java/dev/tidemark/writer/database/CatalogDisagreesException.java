package dev.tidemark.writer.database;

import java.util.List;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.FieldPath;

/** The catalog defines a table differently than it did when the first row of the table was written. */
public final class CatalogDisagreesException extends BadInputException {
    private static final long serialVersionUID = 1L;

    private CatalogDisagreesException(String table, String what, Object recorded, Object found) {
        super("the " + what + " of table " + table + " cannot be changed: the database has " + recorded
                + ", but the catalog says " + found + "; restore the catalog, or begin with an empty database");
    }

    /** Requires that no primary key of the tables known has changed. */
    public static void requireSameKeys(List<TableDefinition> known, Catalog catalog) throws CatalogDisagreesException {
        for (TableDefinition table : known) {
            List<FieldPath> wanted =
                    catalog.table(table.name()).map(TableDefinition::primaryKey).orElse(table.primaryKey());
            if (!wanted.equals(table.primaryKey())) {
                throw new CatalogDisagreesException(table.name(), "primary key", table.primaryKey(), wanted);
            }
        }
    }

    /**
     * Requires that the partitions which a table began with have not changed: a table that left the catalog has to come
     * back with those.
     */
    public static void requireSamePartitions(List<TableDefinition> known, Catalog catalog)
            throws CatalogDisagreesException {
        for (TableDefinition table : known) {
            int wanted =
                    catalog.table(table.name()).map(TableDefinition::partitions).orElse(table.partitions());
            if (wanted != table.partitions()) {
                throw new CatalogDisagreesException(
                        table.name(), "first number of partitions", table.partitions(), wanted);
            }
        }
    }
}
