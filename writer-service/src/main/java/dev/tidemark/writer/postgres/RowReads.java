package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.commit.ScanPage;
import dev.tidemark.writer.commit.StoredRow;

/** Statements that read rows, each as of one moment. */
final class RowReads {
    private static final String ALL = "SELECT pk, " + Rows.COLUMNS + " FROM %s WHERE pk = ANY (?)";

    /** Rows beyond the bound come without their JSON, which distinguishes them from rows that are not there. */
    private static final String SOME = "SELECT pk, epoch, sequence, committed_at, CASE WHEN total <= ? THEN row END"
            + " FROM (SELECT *, sum(bytes) OVER (ORDER BY pk ROWS UNBOUNDED PRECEDING) AS total"
            + " FROM %s WHERE pk = ANY (?)) AS found";

    /** The server adds up the sizes, so that no more than a page leaves it. */
    private static final String PAGE = "SELECT pk, " + Rows.COLUMNS + ", rows FROM (SELECT *, count(*) OVER () AS rows,"
            + " coalesce(sum(bytes) OVER (ORDER BY pk ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before"
            + " FROM (SELECT * FROM %s WHERE pk %s ? ORDER BY pk LIMIT ?) AS found) AS added"
            + " WHERE before < ? ORDER BY pk LIMIT ?";

    private RowReads() {}

    /** The rows that are there of those keys. */
    static Map<KeyBytes, StoredRow> all(Connection connection, FactTable table, Collection<KeyBytes> keys)
            throws SQLException {
        Map<KeyBytes, StoredRow> rows = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(ALL.formatted(table.relation()))) {
            statement.setArray(1, connection.createArrayOf("bytea", bytes(keys)));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    rows.put(KeyBytes.wrap(row.getBytes(1)), Rows.stored(row, 2));
                }
            }
        }
        return rows;
    }

    /**
     * What is known of those keys after one question: a row, or that there is none. Keys of rows that are beyond the
     * bound are left out.
     *
     * @param maxBytes of all rows together
     */
    static Map<KeyBytes, Optional<StoredRow>> some(
            Connection connection, FactTable table, Collection<KeyBytes> keys, long maxBytes) throws SQLException {
        Map<KeyBytes, Optional<StoredRow>> known = new HashMap<>();
        keys.forEach(key -> known.put(key, Optional.empty()));
        try (PreparedStatement statement = connection.prepareStatement(SOME.formatted(table.relation()))) {
            statement.setLong(1, maxBytes);
            statement.setArray(2, connection.createArrayOf("bytea", bytes(keys)));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    KeyBytes key = KeyBytes.wrap(row.getBytes(1));
                    if (row.getBytes(5) == null) {
                        known.remove(key);
                    } else {
                        known.put(key, Optional.of(Rows.stored(row, 2)));
                    }
                }
            }
        }
        return known;
    }

    /** Rows in key order, as {@link dev.tidemark.writer.commit.FactStore#scan}. */
    static ScanPage page(Connection connection, FactTable table, @Nullable KeyBytes afterKey, int limit, long maxBytes)
            throws SQLException {
        String sql = PAGE.formatted(table.relation(), afterKey == null ? ">=" : ">");
        List<KeyedRow> rows = new ArrayList<>();
        long found = 0;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setBytes(1, (afterKey == null ? KeyBytes.EMPTY : afterKey).array());
            statement.setLong(2, limit + 1L);
            statement.setLong(3, maxBytes);
            statement.setLong(4, limit);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    rows.add(new KeyedRow(KeyBytes.wrap(row.getBytes(1)), Rows.stored(row, 2)));
                    found = row.getLong(6);
                }
            }
        }
        return new ScanPage(rows, found > rows.size());
    }

    private static byte[][] bytes(Collection<KeyBytes> keys) {
        return keys.stream().map(KeyBytes::array).toArray(byte[][]::new);
    }
}
