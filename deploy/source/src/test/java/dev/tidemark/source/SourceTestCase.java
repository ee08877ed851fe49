package dev.tidemark.source;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.row.RowJson;
import dev.tidemark.source.cli.SourceSettings;
import dev.tidemark.source.testkit.FakeWriter;
import dev.tidemark.source.testkit.PostgresServer;
import dev.tidemark.source.testkit.TestServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Another database for each test, and a writer in memory. */
abstract class SourceTestCase {
    final FakeWriter writer = new FakeWriter();
    final ByteArrayOutputStream said = new ByteArrayOutputStream();
    String database = "";
    private AutoCloseable following = () -> {};

    TestServer server() {
        return PostgresServer.shared();
    }

    @BeforeEach
    void makeDatabase() {
        database = server().newDatabase();
    }

    @AfterEach
    void dropDatabase() throws Exception {
        stop();
        writer.close();
        server().dropDatabase(database);
    }

    final void sql(String... statements) {
        server().sql(database, statements);
    }

    /** Has the writer follow a table of the same name. */
    final void following(String table, String... key) {
        writer.following(table, server().table(database, table), key);
    }

    /** Makes a table {@code items} that the writer follows. */
    final void items(String... statements) {
        following("items", "id");
        sql("CREATE TABLE items (id int PRIMARY KEY, name varchar(99))");
        sql(statements);
    }

    /** Starts a source in this process. */
    final void follow(String... more) throws Exception {
        following = SourceMain.follow(settings(more), terminal(), false);
    }

    final Terminal terminal() {
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        return Terminal.plain(out, out);
    }

    final SourceSettings settings(String... more) throws Exception {
        Map<String, String> values = new HashMap<>(server().settings(database));
        values.put("name", "shop");
        values.put("writer.url", writer.url().toString());
        values.put("marker.interval", "100ms");
        values.put("http.port", "0");
        for (String setting : more) {
            values.put(setting.split("=", 2)[0], setting.split("=", 2)[1]);
        }
        return SourceSettings.of(new AbstractConfig(SourceMain.definition(), values, false));
    }

    /** Stops it. */
    final void stop() throws Exception {
        following.close();
        following = () -> {};
    }

    final String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    /** Waits until the watermark says that all commits until now are there. */
    final void followed() {
        followed(Duration.ofSeconds(40));
    }

    /** The same, where there is much to follow. */
    final void followed(Duration atMost) {
        Instant now = Instant.now();
        await().atMost(atMost)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> writer.watermark().filter(now::isBefore).isPresent());
    }

    /** Compares the rows of the writer with those of the database. */
    final void sameAs(String table, String key) throws Exception {
        Map<String, JsonNode> rows = new TreeMap<>();
        try (var connection = server().connect(database);
                var statement = connection.createStatement();
                var result = statement.executeQuery(server().rowsOf(database, table, key))) {
            while (result.next()) {
                rows.put(result.getString(1), RowJson.mapper().readTree(result.getString(2)));
            }
        }
        Map<String, ObjectNode> found = writer.rows(table);
        assertThat(found.keySet()).isEqualTo(rows.keySet());
        rows.forEach((at, row) -> assertThat(found.get(at)).asString().isEqualTo(row.toString()));
    }
}
