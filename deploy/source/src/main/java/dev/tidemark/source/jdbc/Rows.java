package dev.tidemark.source.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Queries row by row. */
public final class Rows {
    private Rows() {}

    /** Reads a row. */
    @FunctionalInterface
    public interface Reader {
        void read(ResultSet row) throws SQLException;
    }

    /** Makes something of a row. */
    @FunctionalInterface
    public interface Mapper<T> {
        T map(ResultSet row) throws SQLException;
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

    /** What is made of all rows of a query with these parameters, in their order. */
    public static <T> List<T> of(Connection connection, String sql, Mapper<T> mapper, Object... parameters)
            throws SQLException {
        List<T> rows = new ArrayList<>();
        each(connection, sql, row -> rows.add(mapper.map(row)), parameters);
        return rows;
    }
}
