package dev.tidemark.writer.rocks;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.row.FieldPath;
import dev.tidemark.writer.commit.DiskFailure;
import dev.tidemark.writer.database.CatalogDisagreesException;
import dev.tidemark.writer.recovery.NewerFormatException;

import static dev.tidemark.writer.testkit.TestTables.CATALOG;
import static dev.tidemark.writer.testkit.TestTables.CUSTOMERS;
import static dev.tidemark.writer.testkit.TestTables.MOVIES;
import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

class WriterDatabaseTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private final RocksResources resources = new RocksResources(8 << 20, 1 << 20);

    @TempDir
    private Path directory = Path.of("");

    @AfterEach
    void close() {
        resources.close();
    }

    @Test
    void keepsThePartitionsThatATableBeganWith() {
        RocksFixture.open(directory, CATALOG, resources).close();
        Catalog other = catalog(new TableDefinition("customers", CUSTOMERS.primaryKey(), 8, List.of()));

        try (WriterDatabase again = RocksFixture.open(directory, other, resources)) {
            assertThat(again.tables())
                    .filteredOn(table -> table.name().equals("customers"))
                    .extracting(TableDefinition::partitions)
                    .containsExactly(4);
            assertThatThrownBy(() -> CatalogDisagreesException.requireSamePartitions(again.tables(), other))
                    .isInstanceOf(CatalogDisagreesException.class)
                    .hasMessageContaining("first number of partitions of table customers cannot be changed")
                    .hasMessageContaining("has 4, but the catalog says 8");
        }
    }

    @Test
    void takesOverThePartitionsThatATableBeganWithByDefinitionsOfBeforeARestore() throws Exception {
        Catalog file = catalog(CUSTOMERS.with(8));
        Definitions published = Definitions.first(CATALOG, Instant.EPOCH)
                .changed(new Catalog(List.of(CUSTOMERS.with(8), MOVIES)), NOON);
        RocksFixture.open(directory, catalog(MOVIES), resources).close();
        try (WriterDatabase restored = RocksFixture.open(directory, file, resources)) {
            restored.keepPartitions(published.catalog());
            CatalogDisagreesException.requireSamePartitions(restored.tables(), published.catalog());
        }

        try (WriterDatabase again = RocksFixture.open(directory, file, resources)) {
            assertThat(again.tables())
                    .extracting(TableDefinition::name, TableDefinition::partitions)
                    .containsExactlyInAnyOrder(tuple("customers", 4), tuple("movies", 2));
            assertThat(again.registry.byName("customers").id()).isEqualTo(2);
        }
    }

    @Test
    void refusesAnotherPrimaryKey() {
        RocksFixture.open(directory, CATALOG, resources).close();
        Catalog other = catalog(new TableDefinition("customers", List.of(FieldPath.parse("id")), 4, List.of()));

        assertThatThrownBy(() -> WriterDatabase.open(directory, other, resources))
                .isInstanceOf(CatalogDisagreesException.class)
                .hasMessageContaining("primary key of table customers cannot be changed");
    }

    @Test
    void opensAgainAfterARefusal() {
        RocksFixture.open(directory, CATALOG, resources).close();
        Catalog other = catalog(new TableDefinition("customers", List.of(FieldPath.parse("id")), 4, List.of()));
        assertThatThrownBy(() -> WriterDatabase.open(directory, other, resources))
                .isInstanceOf(CatalogDisagreesException.class);

        WriterDatabase again = RocksFixture.open(directory, CATALOG, resources);

        assertThat(again.tables()).hasSize(2);
        again.close();
    }

    @Test
    void keepsTablesThatAreGoneFromTheCatalog() {
        WriterDatabase first = RocksFixture.open(directory, CATALOG, resources);
        new RocksFactStore(first, 0, new DiskFailure()).commit(batch(put(1, 1, "a")));
        first.close();

        WriterDatabase second = RocksFixture.open(directory, catalog(MOVIES), resources);

        assertThat(second.tables()).extracting(TableDefinition::name).containsExactlyInAnyOrder("customers", "movies");
        assertThat(new RocksOutbox(second).readAfter(0, 10, 1_000)).containsExactly(put(1, 1, "a"));
        second.close();
    }

    @Test
    void refusesWhatANewerVersionWrote() {
        WriterDatabase database = RocksFixture.open(directory, CATALOG, resources);
        try (RocksBatch batch = new RocksBatch()) {
            batch.put(database.meta, MetaKeys.FORMAT, Bytes.ofLong(99));
            database.database().write(batch, true);
        }
        database.close();

        assertThatThrownBy(() -> WriterDatabase.open(directory, CATALOG, resources))
                .isInstanceOf(NewerFormatException.class)
                .hasMessageContaining("to have format 1 at most, but it has format 99");
    }

    private static Catalog catalog(TableDefinition table) {
        return new Catalog(List.of(table));
    }
}
