package dev.tidemark.catalog;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a table that is derived from the definitions in force. It holds one generation of a global index, or one
 * {@link Layout} of a table. The topic of a global index has the rows that the index holds, each in the partitions of
 * its entries. That of a layout has every row. The shards have the entries. No table of a catalog has such a name,
 * because of the dots.
 *
 * @param table the table whose rows it holds
 * @param index the bare name of the index; empty for a layout
 * @param number of the generation or the layout
 */
public record DerivedTable(String table, String index, long number) {
    private static final Pattern NAME =
            Pattern.compile("([a-z][a-z0-9_]{0,62})\\.(?:([a-z][a-z0-9_]{0,62})\\.)?([1-9][0-9]{0,17})");

    /** The derived table that holds a generation of a global index, or of a local one in a layout. */
    public static DerivedTable of(Generation generation) {
        String table = base(generation.definition().table());
        return generation
                .layout()
                .map(layout -> of(table, layout))
                .orElseGet(() -> new DerivedTable(table, generation.definition().name(), generation.id()));
    }

    /** The table of a layout. */
    public static DerivedTable of(String table, Layout layout) {
        return new DerivedTable(table, "", layout.number());
    }

    /** The derived table of that name; empty for the name of a table of a catalog. */
    public static Optional<DerivedTable> of(String name) {
        Matcher parts = NAME.matcher(name);
        return parts.matches()
                ? Optional.of(new DerivedTable(
                        parts.group(1), parts.group(2) == null ? "" : parts.group(2), Long.parseLong(parts.group(3))))
                : Optional.empty();
    }

    /** Whether it holds a layout, so that its partitions are those of the primary key. */
    public boolean isLayout() {
        return index.isEmpty();
    }

    /** Its name, {@code table.index.number} or {@code table.number}, by which its topic and its shards are named. */
    public String name() {
        return table + (isLayout() ? "" : "." + index) + "." + number;
    }

    /** Its name as a table of a catalog can have it; brokers refuse the topic of one beside that of the other. */
    String undotted() {
        return name().replace('.', '_');
    }

    /** What users call a table, and the table or index that a derived one is of, for messages. */
    public static String inWords(String name) {
        return of(name).filter(derived -> !derived.isLayout())
                .map(derived -> "index " + derived.table() + "." + derived.index())
                .orElseGet(() -> "table " + base(name));
    }

    /** Whether a table of that name is a derived one. */
    public static boolean is(String name) {
        return name.indexOf('.') >= 0;
    }

    /** Whether a table of that name has its partitions by an index, so that a row may be in several or in none. */
    public static boolean isByIndex(String name) {
        return name.indexOf('.') != name.lastIndexOf('.');
    }

    /** The table of a catalog whose rows a table holds: the one itself, or that which it is derived from. */
    public static String base(String name) {
        int end = name.indexOf('.');
        return end < 0 ? name : name.substring(0, end);
    }
}
