package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.tidemark.writer.commit.FactsUnavailableException;

/**
 * Single values by name. Only the writer that holds the right to commit changes them: a change locks the row of the
 * writer, so none is made after another writer has taken the right. Commits and changes do not wait for each other.
 */
record NamedValues(OwnConnection connection, DatabaseState state, String holder) {
    private static final String GET = "SELECT value FROM tidemark.settings WHERE name = ?";
    private static final String NAMES = "SELECT name FROM tidemark.settings WHERE starts_with(name, ?)";
    private static final String HELD =
            "WITH held AS (SELECT id FROM tidemark.writer WHERE id = 1 AND holder = ?%s FOR KEY SHARE) ";

    /** Does not wait for the disk. */
    private static final String UNSYNCED = " AND set_config('synchronous_commit', 'off', true) IS NOT NULL";

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
        try (PreparedStatement statement = open.prepareStatement(GET)) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
            }
        }
    }

    /** The names with a beginning. */
    Set<String> names(String prefix) {
        return connection.call(open -> {
            try (PreparedStatement statement = open.prepareStatement(NAMES)) {
                statement.setString(1, prefix);
                Set<String> names = new TreeSet<>();
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        names.add(row.getString(1));
                    }
                }
                return names;
            }
        });
    }

    void put(String name, String value, boolean durably) {
        int put = connection.call(open -> {
            try (PreparedStatement statement = open.prepareStatement(PUT.formatted(durably ? "" : UNSYNCED))) {
                statement.setString(1, holder);
                statement.setString(2, name);
                statement.setString(3, value);
                return statement.executeUpdate();
            }
        });
        if (put == 0) {
            throw displaced();
        }
    }

    /** Adds a value where there is none; returns the value that is there afterwards. */
    String add(String name, String value) {
        return returned(ADD.formatted(""), statement -> {
            statement.setString(2, name);
            statement.setString(3, value);
        });
    }

    /** A number greater than the one before and than the given one; it becomes the value. */
    long next(String name, long least) {
        return Long.parseLong(returned(NEXT.formatted(""), statement -> {
            statement.setString(2, name);
            statement.setLong(3, least);
            statement.setLong(4, least);
        }));
    }

    void remove(String name) {
        connection.call(open -> {
            try (PreparedStatement statement = open.prepareStatement(REMOVE.formatted(""))) {
                statement.setString(1, holder);
                statement.setString(2, name);
                return statement.executeUpdate();
            }
        });
    }

    private interface Binding {
        void to(PreparedStatement statement) throws SQLException;
    }

    private String returned(String sql, Binding binding) {
        Optional<String> value = connection.call(open -> {
            try (PreparedStatement statement = open.prepareStatement(sql)) {
                statement.setString(1, holder);
                binding.to(statement);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
                }
            }
        });
        return value.orElseThrow(this::displaced);
    }

    private FactsUnavailableException displaced() {
        return state.end("another writer has taken the right to commit to these fact tables");
    }
}
