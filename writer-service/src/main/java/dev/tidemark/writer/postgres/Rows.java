package dev.tidemark.writer.postgres;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.StoredRow;

/** How values of the ports are read from and written to columns. */
final class Rows {
    /** The columns of a row that {@link #stored} reads, in this order. */
    static final String COLUMNS = "epoch, sequence, committed_at, row";

    /** A time as a parameter: microseconds since 1970, which a double would round. */
    static final String TIME = "('epoch'::timestamptz + ?::bigint * '1 microsecond'::interval)";

    private Rows() {}

    /** A row whose columns begin at that one. */
    static StoredRow stored(ResultSet row, int first) throws SQLException {
        RowVersion version = new RowVersion(row.getLong(first), row.getLong(first + 1));
        return new StoredRow(version, time(row, first + 2), RowDocument.stored(row.getBytes(first + 3)));
    }

    /** A place in commit order whose columns are epoch, sequence and time. */
    static CommitPosition position(ResultSet row) throws SQLException {
        return new CommitPosition(new RowVersion(row.getLong(1), row.getLong(2)), time(row, 3));
    }

    static Instant time(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    /** An object that this package wrote. */
    static ObjectNode json(String text) {
        try {
            return RowJson.parseObject(text.getBytes(StandardCharsets.UTF_8));
        } catch (BadJsonException e) {
            throw new IllegalStateException("Expected JSON that the writer wrote, but " + e.getMessage(), e);
        }
    }
}
