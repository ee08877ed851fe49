package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

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
        String sql = ALL.formatted(table.relation());
        return Statements.all(connection, sql, RowReads::keyed, (Object) bytes(keys)).stream()
                .collect(Collectors.toMap(KeyedRow::key, KeyedRow::stored));
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
        String sql = SOME.formatted(table.relation());
        Statements.Reader<Map.Entry<KeyBytes, Optional<StoredRow>>> reader = row -> Map.entry(
                KeyBytes.wrap(row.getBytes(1)),
                row.getBytes(5) == null ? Optional.empty() : Optional.of(Rows.stored(row, 2)));
        for (Map.Entry<KeyBytes, Optional<StoredRow>> found :
                Statements.all(connection, sql, reader, maxBytes, bytes(keys))) {
            if (found.getValue().isPresent()) {
                known.put(found.getKey(), found.getValue());
            } else {
                known.remove(found.getKey());
            }
        }
        return known;
    }

    /** Rows in key order, as {@link dev.tidemark.writer.commit.FactStore#scan}. */
    static ScanPage page(Connection connection, FactTable table, @Nullable KeyBytes afterKey, int limit, long maxBytes)
            throws SQLException {
        String sql = PAGE.formatted(table.relation(), afterKey == null ? ">=" : ">");
        record Counted(KeyedRow row, long found) {}
        List<Counted> rows = Statements.all(
                connection,
                sql,
                row -> new Counted(keyed(row), row.getLong(6)),
                (afterKey == null ? KeyBytes.EMPTY : afterKey).array(),
                limit + 1L,
                maxBytes,
                (long) limit);
        boolean more = !rows.isEmpty() && rows.get(0).found() > rows.size();
        return new ScanPage(rows.stream().map(Counted::row).toList(), more);
    }

    private static KeyedRow keyed(ResultSet row) throws SQLException {
        return new KeyedRow(KeyBytes.wrap(row.getBytes(1)), Rows.stored(row, 2));
    }

    private static byte[][] bytes(Collection<KeyBytes> keys) {
        return keys.stream().map(KeyBytes::array).toArray(byte[][]::new);
    }
}
