package dev.tidemark.deploy.e2e;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.deploy.e2e.kafka.ConnectLike;
import dev.tidemark.deploy.e2e.running.CommandStack;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.oracle.Fact;
import dev.tidemark.source.testkit.MariaDbServer;
import dev.tidemark.source.testkit.PostgresServer;
import dev.tidemark.source.testkit.RunningSource;
import dev.tidemark.source.testkit.TestServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A database, Debezium with transactions, topics, {@code tidemark source --topics}, and a writer. */
class TopicsSourceIT {
    private static final String CATALOG = """
            tables:
              items:
                primaryKey: id
                source: { name: shop, table: TABLE }
                indexes:
                  by_day: { key: [day] }
            """;
    private static final int ROWS = 4_000;
    private static final int KILLS = Integer.getInteger("topics.kills", 1);

    private final Map<String, Instant> committed = new ConcurrentHashMap<>();
    private final List<String> tooSmall = new ArrayList<>();
    private Runnable cleanUp = () -> {};

    /**
     * What a test stands on.
     *
     * @param connector settings of Debezium, by its names
     * @param markers topic of the markers
     * @param document what becomes of JSON
     */
    private record Setup(
            TestServer server, String database, Map<String, String> connector, String markers, String document) {
        String table() {
            return server.table(database, "items");
        }

        String topic() {
            return "shop." + table();
        }

        void sql(String... statements) {
            server.sql(database, statements);
        }
    }

    @AfterEach
    void cleanUp() {
        cleanUp.run();
    }

    @Test
    @TakesTurns(turn = 0, of = 4)
    void rowsAndFreshnessOfPostgresAreTrueOverKills() throws Exception {
        TestServer server = PostgresServer.shared();
        String database = server.newDatabase();
        Map<String, String> connector = new HashMap<>(server.settings(database));
        connector.putAll(Map.of(
                "connector.class", "io.debezium.connector.postgresql.PostgresConnector",
                "plugin.name", "pgoutput",
                "slot.name", "connect_" + database,
                "publication.name", "connect",
                "table.include.list", "public.items"));
        server.sql(
                database,
                "CREATE TABLE items (id int PRIMARY KEY, day date, price numeric(8,2), at timestamptz, name text,"
                        + " clock time, bits bit(5), doc json)",
                "INSERT INTO items SELECT n, date '2024-01-01' + n, n + 0.25, '2024-02-29 12:34:56.5+05:30',"
                        + " 'item ' || n, '01:02:03', B'00101', '{\"a\": [1.10]}' FROM generate_series(1, " + ROWS
                        + ") n");
        overKills(new Setup(server, database, connector, "shop.message", "{\"a\":[1.10]}"));
    }

    @Test
    @TakesTurns(turn = 2, of = 4)
    void rowsAndFreshnessOfMariaDbAreTrueOverKills() throws Exception {
        MariaDbServer server = MariaDbServer.shared();
        String database = server.newDatabase();
        Map<String, String> connector = new HashMap<>(server.settings(database));
        connector.putAll(Map.of(
                "database.server.id", "4711",
                "include.schema.changes", "false",
                "schema.history.internal", "io.debezium.relational.history.MemorySchemaHistory",
                "table.include.list", database + ".items,tidemark.markers"));
        server.sql(
                database,
                "CREATE TABLE items (id int PRIMARY KEY, day date, price numeric(8,2), at timestamp(6) NULL, name text,"
                        + " clock time, bits bit(5), doc json)",
                "INSERT INTO items SELECT seq, DATE_ADD('2024-01-01', INTERVAL seq DAY), seq + 0.25,"
                        + " '2024-02-29 12:34:56.5', CONCAT('item ', seq), '01:02:03', b'00101', '{\"a\": [1.10]}' FROM "
                        + server.numbers(1, ROWS));
        overKills(new Setup(server, database, connector, "shop.tidemark.markers", "\"{\\\"a\\\": [1.10]}\""));
    }

    private void overKills(Setup setup) throws Exception {
        cleanUp = () -> setup.server().dropDatabase(setup.database());
        Path catalog =
                Files.writeString(Files.createTempFile("topics", ".yaml"), CATALOG.replace("TABLE", setup.table()));
        try (CommandStack stack = CommandStack.start("topics", catalog);
                ConnectLike connect = new ConnectLike(
                        stack.endpoints().broker(), setup.connector(), Map.of(setup.topic(), 2, setup.markers(), 1))) {
            Facts facts = stack.facts();
            try (RunningSource killed = source(stack, setup)) {
                await().atMost(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> facts.scan("items").size() > ROWS / 8);
                killed.kill();
            }
            // The source may have read all of it, and more, before the kill.
            assertThat(watermark(facts).isEmpty() || rows(facts).size() == ROWS).isTrue();
            for (int round = 0; round < KILLS; round++) {
                try (RunningSource killed = source(stack, setup)) {
                    change(setup, round);
                    followed(facts);
                    change(setup, round + 20);
                    killed.kill();
                    change(setup, round + 10);
                }
            }
            try (RunningSource last = source(stack, setup)) {
                followed(facts);
                connect.hold();
                change(setup, 30);
                Instant held = Instant.now();
                await().pollInterval(Duration.ofMillis(20)).until(() -> {
                    probe(facts);
                    return Instant.now().isAfter(held.plusSeconds(2));
                });
                assertThat(Duration.between(watermark(facts).orElseThrow(), Instant.now()))
                        .isGreaterThan(Duration.ofSeconds(1));
                connect.release();
                followed(facts);
                assertThat(last.said()).doesNotContain("snapshot begins");
            }
            assertThat(tooSmall).isEmpty();
            assertThat(rows(facts)).isEqualTo(inDatabase(setup));
            assertThat(facts.get("items", "66").requireOk().json().toString())
                    .contains(
                            "\"at\":\"2024-02-29T07:04:56.5Z\"",
                            "\"clock\":\"01:02:03\"",
                            "\"bits\":\"00101\"",
                            "\"doc\":" + setup.document());
        }
    }

    private static RunningSource source(CommandStack stack, Setup setup) throws Exception {
        Map<String, String> settings = new HashMap<>(setup.server().settings(setup.database()));
        settings.put("topics", setup.topic() + "," + setup.markers());
        settings.put("topics.exactly.once", "true");
        settings.put("kafka.bootstrap.servers", stack.endpoints().broker());
        return RunningSource.start(stack.endpoints().writers().get(0), settings);
    }

    /** Changes rows in all ways, and keeps when rows were there, which are behind many changes in their topic. */
    private void change(Setup setup, int round) {
        setup.sql("UPDATE items SET price = price + 1");
        for (int n = 0; n < 50; n++) {
            String id = Integer.toString(100_000 * (round + 1) + n);
            setup.sql("INSERT INTO items (id, day, price, name) VALUES (" + id + ", '2024-02-29', 1.10, 'new')");
            committed.put(id, Instant.now());
        }
        setup.sql(
                "UPDATE items SET name = 'round " + round + "' WHERE id % 50 = " + round,
                "DELETE FROM items WHERE id % 77 = " + round + " AND id < " + ROWS,
                "UPDATE items SET id = id + 50000 WHERE id BETWEEN " + (round * 10 + 1) + " AND " + (round * 10 + 5));
    }

    /** Compares what the watermark says with what is there, and returns it. */
    private Optional<Instant> probe(Facts facts) throws Exception {
        Optional<Instant> watermark = watermark(facts);
        Set<String> there = rows(facts).keySet();
        committed.forEach((id, at) -> {
            if (watermark.filter(at::isBefore).isPresent() && !there.contains(id)) {
                tooSmall.add("row " + id + " of " + at + " is not there at " + watermark);
            }
        });
        return watermark;
    }

    private static Optional<Instant> watermark(Facts facts) throws Exception {
        JsonNode state = facts.http().get("/v1/sources/shop").requireOk().json();
        return Optional.ofNullable(
                        state.path("tables").path(0).path("watermark").textValue())
                .map(Instant::parse);
    }

    /** Waits until the watermark says that all commits until now are there, and probes meanwhile. */
    private void followed(Facts facts) {
        Instant now = Instant.now();
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> probe(facts).filter(now::isBefore).isPresent());
    }

    private static Map<String, String> rows(Facts facts) throws Exception {
        return facts.scan("items").stream()
                .collect(Collectors.toMap(
                        fact -> fact.row().path("id").asText(),
                        TopicsSourceIT::text,
                        (one, other) -> one,
                        TreeMap::new));
    }

    private static String text(Fact fact) {
        JsonNode row = fact.row();
        return text(
                row.path("day").asText(),
                row.path("price").decimalValue(),
                row.path("name").asText());
    }

    private static String text(String day, BigDecimal price, String name) {
        return day + " " + price.stripTrailingZeros().toPlainString() + " " + name;
    }

    private static Map<String, String> inDatabase(Setup setup) throws Exception {
        Map<String, String> rows = new TreeMap<>();
        try (Connection connection = setup.server().connect(setup.database());
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT id, day, price, name FROM items")) {
            while (result.next()) {
                rows.put(result.getString(1), text(result.getString(2), result.getBigDecimal(3), result.getString(4)));
            }
        }
        return rows;
    }
}
