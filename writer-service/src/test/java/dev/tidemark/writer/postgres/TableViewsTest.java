package dev.tidemark.writer.postgres;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowDocument;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.commit.StoredRow;
import dev.tidemark.writer.database.FactsSettings;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;

/** Rows are kept exactly, and can be read with SQL. */
@ParameterizedClass
@EnumSource
class TableViewsTest {
    private static final Duration SOON = Duration.ofSeconds(2);

    private final ManualClock clock = new ManualClock();

    @Parameter
    private TestServer.Version version = TestServer.Version.ARCHIVE_17;

    private FactsSettings settings = new FactsSettings(FactsSettings.ROCKSDB, Optional.empty(), Optional.empty());
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    @Test
    void numbersAndTextAreKeptToTheByte() throws Exception {
        PostgresFactDatabase database = opened();
        List<String> rows = List.of(
                "{\"customerId\":1,\"a\":1.50,\"b\":1E+400,\"c\":-0.0,\"d\":12345678901234567890.123456789}",
                "{\"customerId\":2,\"name\":\"Zoë 🐟 \\\\ \\\" \\n\",\"\":1,\"a\\\"b\":true}",
                "{\"customerId\":3,\"nul\":\"a\\u0000b\",\"literal\":\"\\\\u0000\",\"n\\u0000\":1,\"x\":null}",
                "{\"customerId\":4,\"tags\":[1,\"two\",{\"three\":[]}],\"town\":\"" + "x".repeat(900_000) + "\"}");
        for (int i = 0; i < rows.size(); i++) {
            database.facts().commit(batch(put(i + 1, i + 1, parsed(rows.get(i)))));
        }

        for (int i = 0; i < rows.size(); i++) {
            StoredRow found = Objects.requireNonNull(database.facts().find("customers", customerKey(i + 1)));
            assertThat(new String(found.row().bytes(), StandardCharsets.UTF_8))
                    .isEqualTo(new String(parsed(rows.get(i)).bytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void aViewShowsFieldsAsColumnsOfTheTypesThatWereMet() throws Exception {
        PostgresFactDatabase database = opened();
        database.facts()
                .commit(batch(
                        put(1, 1, TestTables.row("{'customerId':1,'town':'Redmond','amount':1.50,'vip':true}")),
                        put(2, 2, TestTables.row("{'customerId':2,'tags':['a'],'amount':1e900000}"))));
        look(database);

        assertThat(query("SELECT town, amount, vip, tags FROM tidemark.v_customers ORDER BY \"customerId\""))
                .containsExactly("Redmond|1.50|t|null", "null|null|null|[\"a\"]");
        assertThat(query("SELECT sum(amount) FROM tidemark.v_customers WHERE vip"))
                .containsExactly("1.50");

        database.facts().commit(batch(put(3, 3, TestTables.row("{'customerId':3,'amount':'much','zip':98052}"))));
        look(database);

        assertThat(query("SELECT amount, zip FROM tidemark.v_customers ORDER BY \"customerId\""))
                .containsExactly("1.50|null", "1E+900000|null", "\"much\"|98052");
    }

    @Test
    void aRowWithNulCharactersDoesNotBreakTheView() throws Exception {
        PostgresFactDatabase database = opened();
        database.facts()
                .commit(batch(
                        put(1, 1, parsed("{\"customerId\":1,\"town\":\"a\\u0000b\",\"k\\u0000\":1,\"t\\\"x\":\"ß\"}")),
                        put(2, 2, TestTables.row("{'customerId':2,'town':'Redmond'}"))));
        look(database);

        assertThat(query("SELECT town, \"t\"\"x\" FROM tidemark.v_customers ORDER BY \"customerId\""))
                .containsExactly("a\ufffdb|ß", "Redmond|null");
    }

    @Test
    void aViewIsMadeAgainAfterARestartWithTheColumnsOfBefore() throws Exception {
        PostgresFactDatabase database = opened();
        database.facts().commit(batch(put(1, 1, TestTables.row("{'customerId':1,'town':'Redmond'}"))));
        look(database);
        database.close();

        PostgresFactDatabase again = PostgresFixture.open(settings);
        open.add(0, again);
        again.facts().commit(batch(put(2, 2, TestTables.row("{'customerId':2,'zip':98052}"))));
        look(again);

        assertThat(query("SELECT town, zip FROM tidemark.v_customers ORDER BY \"customerId\""))
                .containsExactly("Redmond|null", "null|98052");
    }

    @Test
    void aTransactionThatHasReadAViewHoldsUpNeitherDefinitionsNorOtherReaders() throws Exception {
        PostgresFactDatabase database = opened();
        database.facts().commit(batch(put(1, 1, TestTables.row("{'customerId':1,'town':'Redmond'}"))));
        look(database);
        try (Connection reader = TestServer.of(version).connect(settings);
                Statement statement = reader.createStatement()) {
            reader.setAutoCommit(false);
            statement.execute("SELECT town FROM tidemark.v_customers");
            database.facts().commit(batch(put(2, 2, TestTables.row("{'customerId':2,'zip':98052}"))));
            CompletableFuture<Void> looked = CompletableFuture.runAsync(() -> look(database));
            assertThat(looked).failsWithin(Duration.ofMillis(50));

            assertThat(CompletableFuture.runAsync(
                            () -> database.definitions().save(Definitions.first(TestTables.CATALOG, clock.instant()))))
                    .succeedsWithin(SOON);
            assertThat(CompletableFuture.supplyAsync(() -> query("SELECT town FROM tidemark.v_customers")))
                    .succeedsWithin(SOON);
            assertThat(looked).succeedsWithin(SOON);
            reader.rollback();
        }
        clock.advance(Duration.ofSeconds(59));
        look(database);
        assertThat(query("SELECT * FROM tidemark.v_customers WHERE row_to_json(v_customers) ->> 'zip' IS NOT NULL"))
                .isEmpty();

        clock.advance(Duration.ofSeconds(1));
        look(database);
        assertThat(query("SELECT zip FROM tidemark.v_customers ORDER BY \"customerId\""))
                .containsExactly("null", "98052");
    }

    private PostgresFactDatabase opened() {
        TestServer server = TestServer.of(version);
        settings = server.database();
        PostgresFactDatabase database = PostgresFixture.open(settings, clock);
        open.add(database);
        open.add(() -> server.giveBack(settings));
        return database;
    }

    private static void look(PostgresFactDatabase database) {
        try {
            database.agents().get(0).doWork();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> query(String sql) {
        List<String> found = new ArrayList<>();
        try (Connection connection = TestServer.of(version).connect(settings);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            int columns = row.getMetaData().getColumnCount();
            while (row.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    values.add(String.valueOf(row.getString(i)));
                }
                found.add(String.join("|", values));
            }
            return found;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static RowDocument parsed(String json) throws BadJsonException {
        return RowDocument.parse(json.getBytes(StandardCharsets.UTF_8));
    }
}
