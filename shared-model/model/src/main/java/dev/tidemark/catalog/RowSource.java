package dev.tidemark.catalog;

import java.util.regex.Pattern;

/**
 * The other database that the rows of a table come from.
 *
 * @param name of the source, which several tables may share; matches {@link TableDefinition#NAME}
 * @param table what the other database calls the table, such as {@code public.customers}; 1 to {@value #MAX_LENGTH}
 *     characters, no blanks and no control characters
 */
public record RowSource(String name, String table) {
    /** Longest name of a table in another database. */
    public static final int MAX_LENGTH = 255;

    /** Names of tables in other databases. */
    public static final Pattern TABLE = Pattern.compile("[^\\s\\p{Cntrl}]{1," + MAX_LENGTH + "}");

    public RowSource {
        if (!TableDefinition.NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "Expected a name of a source that matches " + TableDefinition.NAME + ", but got " + name);
        }
        if (!TABLE.matcher(table).matches()) {
            throw new IllegalArgumentException("Expected the name of a table without blanks, but got " + table);
        }
    }

    /** As messages show it: the name of the source, then that of the table. */
    @Override
    public String toString() {
        return name + " (" + table + ")";
    }
}
