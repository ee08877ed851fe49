package dev.tidemark.source.check;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Something to know about a database.
 *
 * @param serious whether it must be mended before the database can be followed; otherwise it is a warning
 * @param what for people
 * @param sql what mends it, to be run by an administrator; empty where SQL cannot
 */
public record Lack(boolean serious, String what, String sql) {
    static Lack must(String what, String sql) {
        return new Lack(true, what, sql);
    }

    /** The same where SQL cannot mend it. */
    public static Lack must(String what) {
        return must(what, "");
    }

    static Lack note(String what, String sql) {
        return new Lack(false, what, sql);
    }

    /** The same where SQL cannot change it. */
    public static Lack note(String what) {
        return note(what, "");
    }

    /** The columns of the primary key in the catalog that a table does not have; empty where it has all. */
    static Optional<Lack> absentKey(String table, List<String> columns, List<String> primaryKey) {
        Set<String> absent = new TreeSet<>(primaryKey);
        columns.forEach(absent::remove);
        return absent.isEmpty()
                ? Optional.empty()
                : Optional.of(must("the primary key in the catalog has columns that " + table + " lacks: "
                        + String.join(", ", absent)));
    }
}
