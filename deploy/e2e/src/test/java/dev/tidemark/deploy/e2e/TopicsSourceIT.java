package dev.tidemark.deploy.e2e;

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
import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.deploy.e2e.kafka.ConnectLike;
import dev.tidemark.deploy.e2e.running.CommandStack;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.oracle.Fact;
import dev.tidemark.row.RowJson;
import dev.tidemark.source.testkit.PostgresServer;
import dev.tidemark.source.testkit.RunningSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A PostgreSQL, Debezium with transactions, topics, {@code tidemark source --topics}, and a writer. */
@TakesTurns(turn = 0, of = 3)
class TopicsSourceIT {
    private static final String CATALOG = """
            tables:
              items:
                primaryKey: id
                source: { name: shop, table: public.items }
                indexes:
                  by_day: { key: [day] }
            """;
    private static final int ROWS = 4_000;

    private final PostgresServer server = PostgresServer.shared();
    private final String database = server.newDatabase();
    private final Map<String, Instant> committed = new ConcurrentHashMap<>();
    private final List<String> tooSmall = new ArrayList<>();

    @Test
    void rowsAndFreshnessAreTrueOverKills() throws Exception {
        server.sql(
                database,
                "CREATE TABLE items (id int PRIMARY KEY, day date, price numeric(8,2), at timestamptz, name text)",
                "INSERT INTO items SELECT n, date '2024-01-01' + n, n + 0.25, now(), 'item ' || n FROM"
                        + " generate_series(1, " + ROWS + ") n");
        Path catalog = Files.writeString(Files.createTempFile("topics", ".yaml"), CATALOG);
        try (CommandStack stack = CommandStack.start("topics", catalog);
                ConnectLike connect = new ConnectLike(
                        stack.endpoints().broker(),
                        server.settings(database),
                        Map.of("shop.public.items", 2, "shop.message", 1))) {
            Facts facts = stack.facts();
            try (RunningSource killed = source(stack)) {
                await().atMost(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> facts.scan("items").size() > ROWS / 8);
                killed.kill();
            }
            // The source may have read all of it, and more, before the kill.
            assertThat(watermark(facts).isEmpty() || rows(facts).size() == ROWS).isTrue();
            for (int round = 0; round < 3; round++) {
                try (RunningSource killed = source(stack)) {
                    change(round);
                    followed(facts);
                    change(round + 20);
                    killed.kill();
                    change(round + 10);
                }
            }
            try (RunningSource last = source(stack)) {
                followed(facts);
                connect.hold();
                change(30);
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
            assertThat(rows(facts)).isEqualTo(inDatabase());
        } finally {
            server.dropDatabase(database);
        }
    }

    private RunningSource source(CommandStack stack) throws Exception {
        Map<String, String> settings = new HashMap<>(server.settings(database));
        settings.put("topics", "shop.public.items,shop.message");
        settings.put("topics.exactly.once", "true");
        settings.put("kafka.bootstrap.servers", stack.endpoints().broker());
        return RunningSource.start(stack.endpoints().writers().get(0), settings);
    }

    /** Changes rows in all ways, and keeps when rows were there, which are behind many changes in their topic. */
    private void change(int round) {
        server.sql(database, "UPDATE items SET price = price + 1");
        for (int n = 0; n < 50; n++) {
            String id = Integer.toString(100_000 * (round + 1) + n);
            server.sql(database, "INSERT INTO items VALUES (" + id + ", '2024-02-29', 1.10, now(), 'new')");
            committed.put(id, Instant.now());
        }
        server.sql(
                database,
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
        return row.path("day").asText() + " " + row.path("price") + " "
                + row.path("name").asText();
    }

    private Map<String, String> inDatabase() throws Exception {
        Map<String, String> rows = new TreeMap<>();
        try (Connection connection = server.connect(database);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT row_to_json(items)::text FROM items")) {
            while (result.next()) {
                JsonNode row = RowJson.mapper().readTree(result.getString(1));
                rows.put(row.path("id").asText(), text(new Fact(row.path("id"), "", row)));
            }
        }
        return rows;
    }
}
