package dev.tidemark.writer.postgres;

import java.util.List;

import dev.tidemark.catalog.TableDefinition;

/**
 * A table as it was when it was first seen.
 *
 * @param id stands for its name in the outbox
 * @param relation with its rows, as it is written in a statement
 * @param view that shows its fields as columns, as it is written in a statement
 * @param definition without indexes
 */
record FactTable(int id, String relation, String view, TableDefinition definition) {
    private static final int MAX_NAME = 63;

    /** A table that the database does not have yet. */
    static FactTable of(int id, TableDefinition table) {
        return new FactTable(
                id,
                relation("f_", table.name(), id),
                relation("v_", table.name(), id),
                new TableDefinition(table.name(), table.primaryKey(), table.partitions(), List.of()));
    }

    String name() {
        return definition.name();
    }

    /** PostgreSQL cuts longer names off. No name of a table has a tilde, so a shortened one is not that of another. */
    private static String relation(String prefix, String name, int id) {
        String whole = prefix + name;
        if (whole.length() > MAX_NAME) {
            String end = "~" + id;
            whole = whole.substring(0, MAX_NAME - end.length()) + end;
        }
        return "tidemark.\"" + whole + "\"";
    }
}
