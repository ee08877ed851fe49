package dev.tidemark.source.check;

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

    static Lack note(String what, String sql) {
        return new Lack(false, what, sql);
    }
}
