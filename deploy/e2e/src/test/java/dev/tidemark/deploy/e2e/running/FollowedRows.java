package dev.tidemark.deploy.e2e.running;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.chaos.http.HttpCallers;
import dev.tidemark.deploy.probe.Probe;
import dev.tidemark.deploy.probe.ProbeTarget;
import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.deploy.target.ServiceCaller.Reply;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.source.testkit.PostgresServer;

/**
 * Has a prober write its rows by SQL into the database that a table follows. The values of a row only grow, so its
 * value takes the place of its version, which the writer alone knows.
 */
public final class FollowedRows implements AutoCloseable {
    private final PostgresServer server;
    private final String database;
    private final String table;
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();

    public FollowedRows(PostgresServer server, String database, String table) {
        this.server = server;
        this.database = database;
        this.table = table;
    }

    /** The services, with the database in place of the rows of the writer. */
    public ProbeTarget target(URI writer, URI worker) {
        HttpCallers http = new HttpCallers();
        ServiceCaller facts = http.at(writer, Probe.PATIENCE);
        ServiceCaller indexes = http.at(worker, Probe.PATIENCE);
        String rows = ServiceCaller.rowsOf(table) + "/";
        return new ProbeTarget(
                (method, path, headers, body) -> path.startsWith(rows)
                        ? change(method, URLDecoder.decode(path.substring(rows.length()), StandardCharsets.UTF_8), body)
                        : facts.call(method, path, headers, body),
                List.of((method, path, headers, body) -> {
                    Reply reply = indexes.call(method, path, headers, body);
                    return path.contains("/entries") && reply.ok() ? byValue(reply) : reply;
                }));
    }

    private Reply change(String method, String id, byte[] row) throws IOException {
        boolean deletes = method.equals("DELETE");
        long value =
                deletes ? 0 : new Reply(200, text(row)).json().path("value").asLong();
        String sql = deletes
                ? "DELETE FROM " + table + " WHERE id = ? AND ? = 0"
                : "INSERT INTO " + table + " VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET value = excluded.value";
        @Nullable Connection used = null;
        try {
            used = idle.poll();
            used = used == null ? server.connect(database) : used;
            try (PreparedStatement statement = used.prepareStatement(sql)) {
                statement.setString(1, id);
                statement.setLong(2, value);
                statement.executeUpdate();
            }
            idle.push(used);
            return new Reply(200, "{\"version\":\"" + version(value) + "\"}");
        } catch (SQLException e) {
            close(used);
            throw new IOException(e);
        }
    }

    private static Reply byValue(Reply reply) {
        JsonNode answer = reply.json();
        answer.path("entries")
                .forEach(entry -> ((ObjectNode) entry)
                        .put("version", version(entry.path("row").path("value").asLong())));
        return new Reply(reply.status(), text(RowJson.write(answer)));
    }

    private static String version(long value) {
        return new RowVersion(1, value).toString();
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }

    private static void close(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            // The server has closed it.
        }
    }

    @Override
    public void close() {
        idle.forEach(FollowedRows::close);
    }
}
