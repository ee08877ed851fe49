package dev.tidemark.writer.postgres;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.row.FieldPath;
import dev.tidemark.testkit.SecretFiles;
import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.commit.FactsUnavailableException;
import dev.tidemark.writer.database.CatalogDisagreesException;
import dev.tidemark.writer.database.FactsSettings;
import dev.tidemark.writer.recovery.NewerFormatException;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.CATALOG;
import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

/** What a writer refuses to start on. */
class ServerCheckTest {
    private static final TestServer SERVER = TestServer.of(TestServer.Version.ARCHIVE_17);
    private final FactsSettings settings = SERVER.database();

    @AfterEach
    void giveBack() {
        SERVER.giveBack(settings);
    }

    @Test
    void refusesAServerThatMayLoseWhatItAcknowledged() throws Exception {
        for (String unsafe : List.of("fsync", "full_page_writes", "synchronous_commit")) {
            SERVER.stop("fast");
            SERVER.start(unsafe + "=off");

            assertThatThrownBy(() -> open(settings, CATALOG))
                    .isInstanceOf(PostgresRefusedException.class)
                    .hasMessageContaining("expected " + unsafe + "=on, but it is off")
                    .hasMessageContaining("set");
        }
        SERVER.stop("fast");
        SERVER.start();
    }

    @Test
    void refusesASessionThatDoesNotWaitForTheDisk() {
        FactsSettings hasty = new FactsSettings(
                settings.url() + "?options=-c%20synchronous_commit=off", settings.user(), settings.passwordFile());

        assertThatThrownBy(() -> open(hasty, CATALOG))
                .isInstanceOf(PostgresRefusedException.class)
                .hasMessageContaining("synchronous_commit");
    }

    @Test
    void refusesAnotherEncodingThanUtf8() {
        FactsSettings latin = SERVER.newDatabase("ENCODING 'LATIN1' TEMPLATE template0");

        assertThatThrownBy(() -> open(latin, CATALOG))
                .isInstanceOf(PostgresRefusedException.class)
                .hasMessageContaining("encoding UTF8, but it has LATIN1");
    }

    @Test
    void refusesANewerSchemaAndChangesNothingOfIt() throws Exception {
        open(settings, CATALOG).close();
        SERVER.execute(settings, "UPDATE tidemark.writer SET format = 3");

        assertThatThrownBy(() -> open(settings, CATALOG))
                .isInstanceOf(NewerFormatException.class)
                .hasMessageContaining("expected the schema tidemark of the database to have format 2 at most");
    }

    @Test
    void addsPlacementsToASchemaOfFormatOne() throws Exception {
        open(settings, CATALOG).close();
        SERVER.execute(
                settings,
                "ALTER TABLE tidemark.outbox_0 DROP COLUMN placements",
                "ALTER TABLE tidemark.outbox_1 DROP COLUMN placements",
                "ALTER TABLE tidemark.outbox_2 DROP COLUMN placements",
                "ALTER TABLE tidemark.tombstones DROP COLUMN derived",
                "ALTER TABLE tidemark.tombstones ADD PRIMARY KEY (deleted_at, sequence)",
                "UPDATE tidemark.writer SET format = 1",
                "INSERT INTO tidemark.tombstones VALUES ('2024-01-01', 1, 1, 1, 0, '\\x00')");

        open(settings, CATALOG).close();

        SERVER.execute(settings, "SELECT placements FROM tidemark.outbox_2");
        SERVER.execute(
                settings,
                "INSERT INTO tidemark.tombstones SELECT deleted_at, sequence, epoch, table_id, partition, pk, 'a.b.1'"
                        + " FROM tidemark.tombstones WHERE derived = ''");
        open(settings, CATALOG).close();
    }

    @Test
    void refusesACatalogThatDisagrees() throws Exception {
        open(settings, CATALOG).close();
        TableDefinition more = new TableDefinition("customers", List.of(FieldPath.parse("id")), 4, List.of());

        assertThatThrownBy(() -> open(settings, new Catalog(List.of(more))))
                .isInstanceOf(CatalogDisagreesException.class)
                .hasMessageContaining("primary key of table customers cannot be changed");
    }

    @Test
    void takesOverThePartitionsThatATableBeganWithByDefinitionsOfBeforeARestore() throws Exception {
        Catalog file = new Catalog(List.of(TestTables.CUSTOMERS.with(8), TestTables.MOVIES));
        Definitions published = Definitions.first(CATALOG, Instant.EPOCH).changed(file, Instant.EPOCH);
        open(settings, new Catalog(List.of(TestTables.MOVIES))).close();
        try (PostgresFactDatabase restored = open(settings, file)) {
            restored.keepPartitions(published.catalog());
            CatalogDisagreesException.requireSamePartitions(restored.tables(), published.catalog());
        }

        try (PostgresFactDatabase again = open(settings, file)) {
            assertThat(again.tables())
                    .extracting(TableDefinition::name, TableDefinition::partitions)
                    .containsExactlyInAnyOrder(tuple("customers", 4), tuple("movies", 2));
        }
    }

    @Test
    void keepsTablesWhoseNamesAreAsLongAsTheyMayBe() throws Exception {
        String name = "t".repeat(63);
        TableDefinition one = new TableDefinition(name, TestTables.CUSTOMERS.primaryKey(), 1, List.of());
        TableDefinition other = new TableDefinition("t".repeat(62), one.primaryKey(), 1, List.of());
        TableDefinition order = new TableDefinition("order", one.primaryKey(), 1, List.of());
        try (PostgresFactDatabase database = open(settings, new Catalog(List.of(one, other, order)))) {
            assertThat(database.tables()).containsExactly(one, other, order);
        }
        try (PostgresFactDatabase database = open(settings, new Catalog(List.of(order)))) {
            assertThat(database.tables()).containsExactly(one, other, order);
        }
    }

    @Test
    void aRoleThatOwnsTheSchemaIsEnoughAndItsPasswordIsReadAtEachConnection(@TempDir Path directory) throws Exception {
        SERVER.execute(
                settings, "CREATE ROLE changing LOGIN PASSWORD 'one'", "CREATE SCHEMA tidemark AUTHORIZATION changing");
        Path file = SecretFiles.write(directory.resolve("password"), "one\n");
        FactsSettings changing = new FactsSettings(settings.url(), Optional.of("changing"), Optional.of(file));
        try (PostgresFactDatabase database = open(changing, CATALOG)) {
            PostgresFixture.take(database);
            database.facts().commit(batch(put(1, 1, "a")));

            SERVER.execute(settings, "ALTER ROLE changing PASSWORD 'two'");
            Files.writeString(file, "two");
            SERVER.execute(
                    settings, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'changing'");
            database.facts().commit(batch(put(2, 2, "b")));
            database.agents().get(0).doWork();

            assertThat(FencingTest.sequences(database)).containsExactly(1L, 2L);
            assertThat(database.facts().scan("customers", null, 9, 1 << 20).rows())
                    .hasSize(2);
        }
        SERVER.execute(settings, "DROP SCHEMA tidemark CASCADE", "DROP ROLE changing");
    }

    @Test
    void saysThatAPasswordIsWrongWithoutShowingIt(@TempDir Path directory) throws Exception {
        Path file = SecretFiles.write(directory.resolve("password"), "guessed");
        FactsSettings wrong = new FactsSettings(settings.url(), settings.user(), Optional.of(file));

        assertThatThrownBy(() -> open(wrong, CATALOG))
                .isInstanceOf(FactsUnavailableException.class)
                .hasMessageContaining("password authentication failed")
                .hasMessageNotContaining("guessed");
    }

    private static PostgresFactDatabase open(FactsSettings settings, Catalog catalog) throws Exception {
        return PostgresFactDatabase.open(settings, catalog, 0, new FactsDamage(), Clock.systemUTC());
    }
}
