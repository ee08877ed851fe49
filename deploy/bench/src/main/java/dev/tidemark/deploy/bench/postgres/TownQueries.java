package dev.tidemark.deploy.bench.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import dev.tidemark.row.JsonBytes;
import dev.tidemark.row.RowVersion;

/**
 * Answers the first customers of a town from PostgreSQL, with the members that the worker's answer has: by a pool of
 * connections, each with one prepared statement. For any thread.
 */
public final class TownQueries implements AutoCloseable {
    private static final String SELECT = "SELECT \"customerId\", \"firstName\", \"lastName\", street, town, phone,"
            + " active, change FROM customers WHERE town = ? ORDER BY \"lastName\" LIMIT ?";

    private static final int ANSWER_BYTES = 8 * 1024;

    private final HikariDataSource pool;

    public TownQueries(String jdbcUrl) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setReadOnly(true);
        config.addDataSourceProperty("prepareThreshold", "1");
        this.pool = new HikariDataSource(config);
    }

    /** The answer for a town. */
    public JsonBytes first(String town, int limit, Instant now) throws SQLException {
        JsonBytes json = new JsonBytes(ANSWER_BYTES).raw("{\"index\":\"by_town_last_name\",\"entries\":[");
        try (Connection connection = pool.getConnection();
                PreparedStatement select = connection.prepareStatement(SELECT)) {
            select.setString(1, town);
            select.setInt(2, limit);
            try (ResultSet rows = select.executeQuery()) {
                for (String between = ""; rows.next(); between = ",") {
                    entry(json.raw(between), rows);
                }
            }
        }
        json.raw("],\"next\":")
                .text(town)
                .raw(",\"freshness\":{\"completeUpTo\":")
                .text(now.toString());
        return json.raw(",\"stalenessMs\":0,\"state\":\"steady\"}}");
    }

    private static void entry(JsonBytes json, ResultSet row) throws SQLException {
        String lastName = row.getString(3);
        String town = row.getString(5);
        int id = row.getInt(1);
        json.raw("{\"key\":{\"town\":").text(town).raw(",\"lastName\":").text(lastName);
        json.raw("},\"primaryKey\":").number(id).raw(",\"shard\":0,\"version\":");
        json.version(new RowVersion(1, row.getLong(8)))
                .raw(",\"row\":{\"customerId\":")
                .number(id);
        json.raw(",\"firstName\":").text(row.getString(2)).raw(",\"lastName\":").text(lastName);
        json.raw(",\"street\":").text(row.getString(4)).raw(",\"town\":").text(town);
        json.raw(",\"phone\":").text(row.getString(6)).raw(",\"active\":");
        json.raw(row.getBoolean(7) ? "true" : "false")
                .raw(",\"change\":")
                .number(row.getLong(8))
                .raw("}}");
    }

    @Override
    public void close() {
        pool.close();
    }
}
