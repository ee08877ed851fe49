package dev.tidemark.source.mariadb;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

import dev.tidemark.source.feed.BinaryLog;

/**
 * An event of the binary log, as {@code SHOW BINLOG EVENTS} lists it.
 *
 * @param end how it ends its transaction; empty if that goes on
 * @param next position of the next event
 */
record LogEvent(Optional<BinaryLog.End> end, long next) {

    static LogEvent of(ResultSet row) throws SQLException {
        return new LogEvent(
                end(row.getString("Event_type"), String.valueOf(row.getString("Info"))), row.getLong("End_log_pos"));
    }

    private static Optional<BinaryLog.End> end(String type, String info) {
        return switch (type) {
            case "Xid" -> Optional.of(BinaryLog.End.COMMITTED);
            case "XA_prepare", "Gtid" -> Optional.of(BinaryLog.End.OTHER);
            case "Query" -> ofStatement(info);
            default -> Optional.empty();
        };
    }

    private static Optional<BinaryLog.End> ofStatement(String statement) {
        return switch (statement) {
            case "COMMIT" -> Optional.of(BinaryLog.End.COMMITTED);
            case "ROLLBACK" -> Optional.of(BinaryLog.End.ROLLED_BACK);
            default -> Optional.empty();
        };
    }
}
