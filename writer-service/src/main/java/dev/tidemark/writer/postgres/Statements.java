package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/** Carries out single statements. Parameters have the SQL type that the driver gives to their Java type. */
final class Statements {
    private Statements() {}

    /** Reads a row. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private record Untyped(String text) {}

    /** A parameter whose type the server derives from the statement: the driver knows none of it. */
    static Object untyped(String text) {
        return new Untyped(text);
    }

    /** Every row that a query returns. */
    static <T> List<T> all(Connection connection, String sql, Reader<T> reader, Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = prepared(connection, sql, parameters);
                ResultSet row = statement.executeQuery()) {
            List<T> found = new ArrayList<>();
            while (row.next()) {
                found.add(reader.read(row));
            }
            return found;
        }
    }

    /** The first row that a query returns, if it returns any. */
    static <T> Optional<T> first(Connection connection, String sql, Reader<T> reader, Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = prepared(connection, sql, parameters);
                ResultSet row = statement.executeQuery()) {
            return row.next() ? Optional.of(reader.read(row)) : Optional.empty();
        }
    }

    /**
     * The row that a query always returns.
     *
     * @throws SQLException also when it returns none, as after others have removed it
     */
    static <T> T one(Connection connection, String sql, Reader<T> reader, Object... parameters) throws SQLException {
        return first(connection, sql, reader, parameters)
                .orElseThrow(() -> new PSQLException("expected a row for " + sql, PSQLState.NO_DATA));
    }

    /** The first column of the first row that a statement returns, if it returns any. */
    static Optional<String> text(Connection connection, String sql, Object... parameters) throws SQLException {
        return first(connection, sql, row -> row.getString(1), parameters);
    }

    /** Changes rows; how many. */
    static int update(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepared(connection, sql, parameters)) {
            return statement.executeUpdate();
        }
    }

    private static PreparedStatement prepared(Connection connection, String sql, Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            for (int i = 0; i < parameters.length; i++) {
                if (parameters[i] instanceof Untyped untyped) {
                    statement.setObject(i + 1, untyped.text(), Types.OTHER);
                } else {
                    statement.setObject(i + 1, parameters[i]);
                }
            }
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }
}
