package dev.tidemark.source.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Queries row by row. */
public final class Rows {
    private Rows() {}

    /** Reads a row. */
    @FunctionalInterface
    public interface Reader {
        void read(ResultSet row) throws SQLException;
    }

    /** Reads all rows of a query with these parameters. */
    public static void each(Connection connection, String sql, Reader reader, Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    reader.read(result);
                }
            }
        }
    }
}
