package dev.tidemark.source;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.row.RowJson;
import dev.tidemark.source.testkit.FakeWriter;
import dev.tidemark.source.testkit.PostgresServer;
import dev.tidemark.source.testkit.RunningSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The whole source against a PostgreSQL, with a writer in memory. */
class FollowedDatabaseTest {
    private static PostgresServer server;

    private final FakeWriter writer = new FakeWriter();
    private String database = "";

    @BeforeAll
    static void startServer(@TempDir Path directory) {
        server = PostgresServer.start(directory.resolve("data"));
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void makeDatabase() {
        database = server.newDatabase();
    }

    @AfterEach
    void close() {
        writer.close();
        server.sql(
                "postgres",
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + database + "'",
                "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = '" + database + "'"
                        + " AND NOT active");
    }

    private void sql(String... statements) {
        server.sql(database, statements);
    }

    private RunningSource source(String... more) {
        return RunningSource.start(writer.url(), server.settings(database), more);
    }

    /** Waits until the watermark says that all commits until now are there. */
    private void followed() {
        java.time.Instant now = java.time.Instant.now();
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> writer.watermark().filter(now::isBefore).isPresent());
    }

    /** The rows of a table of the database, as the writer should have them. */
    private void sameAs(String table, String key, String json) throws Exception {
        Map<String, JsonNode> rows = new TreeMap<>();
        try (var connection = server.connect(database);
                var statement = connection.createStatement();
                var result = statement.executeQuery("SELECT " + key + "::text, (" + json + ")::text FROM " + table)) {
            while (result.next()) {
                rows.put(result.getString(1), RowJson.mapper().readTree(result.getString(2)));
            }
        }
        Map<String, ObjectNode> found = writer.rows(table);
        assertThat(found.keySet()).isEqualTo(rows.keySet());
        rows.forEach((at, row) -> assertThat(found.get(at).toString()).isEqualTo(row.toString()));
    }

    @Test
    void rowsFollowEveryKindOfChange() throws Exception {
        writer.following("items", "public.items", "id");
        sql(
                "CREATE TABLE items (id int PRIMARY KEY, name text, price numeric(8,2), big text)",
                "ALTER TABLE items ALTER big SET STORAGE EXTERNAL",
                "INSERT INTO items SELECT n, 'item ' || n, n + 0.50, repeat('x', 3000) FROM generate_series(1, 100) n");
        try (RunningSource source = source()) {
            followed();
            sameAs("items", "id", "row_to_json(items)");
            sql(
                    "INSERT INTO items VALUES (101, NULL, 1.10, 'short')",
                    "UPDATE items SET name = 'kept' WHERE id = 1",
                    "UPDATE items SET id = 1002 WHERE id = 2",
                    "UPDATE items SET id = 1003, name = 'both' WHERE id = 3",
                    "DELETE FROM items WHERE id = 4",
                    "BEGIN; UPDATE items SET id = id + 5000 WHERE id BETWEEN 10 AND 20; DELETE FROM items WHERE id = 5010;"
                            + " COMMIT");
            followed();
            sameAs("items", "id", "row_to_json(items)");
            sql("TRUNCATE items", "INSERT INTO items VALUES (7, 'after', 1, 'b')");
            followed();
            sameAs("items", "id", "row_to_json(items)");
            assertThat(source.said()).contains("snapshot ended: 100 rows");
        }
    }

    @Test
    void changedColumnsLeadToTheRowsOfTheDatabase() throws Exception {
        writer.following("items", "public.items", "id");
        sql(
                "CREATE TABLE items (id int PRIMARY KEY, name text, gone int)",
                "INSERT INTO items SELECT n, 'item ' || n, n FROM generate_series(1, 10) n");
        try (RunningSource source = source()) {
            followed();
            sql("ALTER TABLE items ADD later text", "UPDATE items SET later = 'x' WHERE id = 1");
            followed();
            assertThat(source.said()).doesNotContain("columns were changed");
            sql("ALTER TABLE items ADD preset int DEFAULT 5", "ALTER TABLE items DROP gone",
                    "ALTER TABLE items RENAME name TO title");
            followed();
            sameAs("items", "id", "row_to_json(items)");
            assertThat(source.said()).contains("columns were changed");
        }
    }

    @Test
    void keysOfSeveralColumnsAndTablesOfSeveralSchemasAreFollowed() throws Exception {
        writer.following("lines", "public.lines", "a", "b").following("others", "Other.My table", "id");
        sql(
                "CREATE TABLE lines (a int, b text, n int, PRIMARY KEY (a, b))",
                "CREATE SCHEMA \"Other\"",
                "CREATE TABLE \"Other\".\"My table\" (id text PRIMARY KEY, \"odd name\" int)",
                "INSERT INTO lines VALUES (1, 'x', 1), (1, 'y', 2)",
                "INSERT INTO \"Other\".\"My table\" VALUES ('k', 1)");
        try (RunningSource source = source()) {
            followed();
            sql("UPDATE lines SET b = 'z', n = 3 WHERE b = 'x'", "UPDATE \"Other\".\"My table\" SET \"odd name\" = 2");
            followed();
            assertThat(writer.rows("lines").keySet()).containsExactly("1,\"y\"", "1,\"z\"");
            assertThat(writer.rows("others").get("\"k\"").toString()).isEqualTo("{\"id\":\"k\",\"odd name\":2}");
            assertThat(source.said()).doesNotContain("rying again");
        }
    }
}
