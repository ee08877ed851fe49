package dev.tidemark.writer.commit;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.digest.Digest;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.row.RowDocument;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.CUSTOMERS;
import static dev.tidemark.writer.testkit.TestTables.MOVIES;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class DigestLedgerTest {
    private static final Definitions DEFINITIONS =
            Definitions.first(new Catalog(List.of(CUSTOMERS, moviesByYear())), Instant.EPOCH);
    private static final long BY_TOWN = generation("customers");
    private static final long BY_YEAR = generation("movies");

    private final DigestLedger ledger = new DigestLedger();

    @BeforeEach
    void loadBothTables() {
        Map<DigestKey, Digest> stored = new HashMap<>();
        for (int partition = 0; partition < CUSTOMERS.partitions(); partition++) {
            stored.put(new DigestKey(BY_TOWN, partition), new Digest(1, partition));
        }
        for (int partition = 0; partition < MOVIES.partitions(); partition++) {
            stored.put(new DigestKey(BY_YEAR, partition), new Digest(2, partition));
        }
        ledger.follow(DEFINITIONS.tables());
        ledger.load(stored);
    }

    @Test
    void tellsOfEachPartitionAndNoOther() {
        assertThat(ledger.known().get("movies"))
                .containsExactly(
                        new TreeMap<>(Map.of(BY_YEAR, new Digest(2, 0))),
                        new TreeMap<>(Map.of(BY_YEAR, new Digest(2, 1))));
        assertThat(ledger.known().get("customers")).hasSize(CUSTOMERS.partitions());
    }

    @Test
    void forgetsOneGenerationAlone() {
        ledger.forget(Set.of(BY_TOWN));

        assertThat(ledger.known().get("customers")).allMatch(Map::isEmpty);
        assertThat(ledger.known().get("movies")).contains(new TreeMap<>(Map.of(BY_YEAR, new Digest(2, 1))));
        assertThat(ledger.knowsAny()).isTrue();
        ledger.begin(Set.of(BY_TOWN));
        assertThat(ledger.complete(BY_TOWN, Map.of()))
                .as("nothing is left of what it was")
                .hasSize(CUSTOMERS.partitions())
                .allSatisfy((key, digest) -> assertThat(digest).isEqualTo(Digest.EMPTY));
    }

    @Test
    void aChangeOfATableWithoutAPlanStaysAsItIs() {
        CommittedChange change = TestTables.put(1, 1, "a");
        ledger.follow(List.of());
        DigestDelta delta = new DigestDelta();

        assertThat(ledger.count(change, Map.of(), null, delta)).isEqualTo(change);
        assertThat(delta.moved()).isEmpty();
    }

    @Test
    void aGlobalIndexIsUnknownWhereARowGoesThatCannotBeRead() {
        IndexDefinition global = new IndexDefinition(
                "customers", "by_town", List.of(KeyPart.of("town")), new Projection.All(), RowFilter.NONE, 3, 1);
        Definitions definitions = Definitions.first(
                new Catalog(List.of(new TableDefinition(
                        "customers", CUSTOMERS.primaryKey(), CUSTOMERS.partitions(), List.of(global)))),
                Instant.EPOCH);
        ledger.follow(definitions.layout().tables());
        RowDocument unreadable = RowDocument.stored("{\"town\":1.0E+99999999999".getBytes(StandardCharsets.US_ASCII));
        DigestDelta delta = new DigestDelta();

        CommittedChange delete = TestTables.delete(2, 1);
        assertThat(ledger.count(delete, Map.of(), new StoredRow(version(1), Instant.EPOCH, unreadable), delta))
                .isEqualTo(delete);

        assertThat(delta.unknown()).isEqualTo(definitions.numbers());
    }

    private static long generation(String table) {
        return DEFINITIONS.generations(table).get(0).id();
    }

    private static TableDefinition moviesByYear() {
        return new TableDefinition(
                MOVIES.name(),
                MOVIES.primaryKey(),
                MOVIES.partitions(),
                List.of(new IndexDefinition(
                        "movies", "by_year", List.of(KeyPart.of("year")), new Projection.All(), RowFilter.NONE)));
    }
}
