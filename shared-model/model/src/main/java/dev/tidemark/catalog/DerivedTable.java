package dev.tidemark.catalog;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What names the table that holds one generation of a global index. Such a table is derived from the definitions in
 * force: its topic has the rows that the index holds, each in the partitions of its entries, and its shards have the
 * entries. A catalog cannot have its name, because of the dots.
 *
 * @param table the table whose rows it holds
 * @param index the bare name of the index
 * @param generation number of the generation
 */
public record DerivedTable(String table, String index, long generation) {
    private static final Pattern NAME =
            Pattern.compile("([a-z][a-z0-9_]{0,62})\\.([a-z][a-z0-9_]{0,62})\\.([1-9][0-9]{0,17})");

    /** The table of a generation of a global index. */
    public static DerivedTable of(Generation generation) {
        return new DerivedTable(
                generation.definition().table(), generation.definition().name(), generation.id());
    }

    /** The derived table of that name; empty for the name of a table of a catalog. */
    public static Optional<DerivedTable> of(String name) {
        Matcher parts = NAME.matcher(name);
        return parts.matches()
                ? Optional.of(new DerivedTable(parts.group(1), parts.group(2), Long.parseLong(parts.group(3))))
                : Optional.empty();
    }

    /** Its name, {@code table.index.generation}, by which its topic and its shards are named. */
    public String name() {
        return table + "." + index + "." + generation;
    }

    /** Whether a table of that name is a derived one. */
    public static boolean is(String name) {
        return name.indexOf('.') >= 0;
    }

    /** The table of a catalog whose rows a table holds: the one itself, or that which it is derived from. */
    public static String base(String name) {
        int end = name.indexOf('.');
        return end < 0 ? name : name.substring(0, end);
    }
}
