package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Single values by name. Only the writer that holds the right to commit changes them: a change locks the row of the
 * writer, so none is made after another writer has taken the right. Commits and changes do not wait for each other.
 */
record NamedValues(OwnConnection connection, DatabaseState state, String holder) {
    private static final String GET = "SELECT value FROM tidemark.settings WHERE name = ?";
    private static final String NAMES = "SELECT name FROM tidemark.settings WHERE starts_with(name, ?)";

    /** Finds and locks the row of the writer while that one holds the right; UNSYNCED or nothing is filled in. */
    static final String HELD =
            "WITH held AS (SELECT id FROM tidemark.writer WHERE id = 1 AND holder = ?%s FOR KEY SHARE) ";

    /** Does not wait for the disk. */
    static final String UNSYNCED = " AND set_config('synchronous_commit', 'off', true) IS NOT NULL";

    private static final String PUT = HELD + "INSERT INTO tidemark.settings (name, value) SELECT ?, ? FROM held"
            + " ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    private static final String ADD = HELD + "INSERT INTO tidemark.settings (name, value) SELECT ?, ? FROM held"
            + " ON CONFLICT (name) DO UPDATE SET value = settings.value RETURNING value";
    private static final String REMOVE = HELD + "DELETE FROM tidemark.settings USING held WHERE name = ?";
    private static final String NEXT = HELD + "INSERT INTO tidemark.settings AS s (name, value)"
            + " SELECT ?, (? + 1)::text FROM held"
            + " ON CONFLICT (name) DO UPDATE SET value = (greatest(s.value::bigint, ?) + 1)::text RETURNING value";

    Optional<String> get(String name) {
        return connection.call(open -> find(open, name));
    }

    static Optional<String> find(Connection open, String name) throws SQLException {
        return Statements.text(open, GET, name);
    }

    /** The names with a beginning. */
    List<String> names(String prefix) {
        return connection.call(open -> Statements.all(open, NAMES, row -> row.getString(1), prefix));
    }

    void put(String name, String value, boolean durably) {
        String sql = PUT.formatted(durably ? "" : UNSYNCED);
        if (connection.call(open -> Statements.update(open, sql, holder, name, value)) == 0) {
            throw state.displaced();
        }
    }

    /** Adds a value where there is none; returns the value that is there afterwards. */
    String add(String name, String value) {
        return returned(ADD.formatted(""), holder, name, value);
    }

    /** A number greater than the one before and than the given one; it becomes the value. */
    long next(String name, long least) {
        return Long.parseLong(returned(NEXT.formatted(""), holder, name, least, least));
    }

    void remove(String name) {
        connection.call(open -> Statements.update(open, REMOVE.formatted(""), holder, name));
    }

    private String returned(String sql, Object... parameters) {
        return connection.call(open -> Statements.text(open, sql, parameters)).orElseThrow(state::displaced);
    }
}
