package dev.tidemark.writer.testkit;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.BadKeyException;
import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.catalog.CatalogRegistry;
import dev.tidemark.writer.catalog.DefinitionPublisher;
import dev.tidemark.writer.catalog.DefinitionStore;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactDigests;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.TableDigestBuilder;

/** Two tables, and rows of them. */
public final class TestTables {
    /** Key {@code customerId}, four partitions, an index on {@code town}. */
    public static final TableDefinition CUSTOMERS = new TableDefinition(
            "customers",
            List.of(FieldPath.parse("customerId")),
            4,
            List.of(new IndexDefinition(
                    "customers", "by_town", List.of(KeyPart.of("town")), new Projection.All(), RowFilter.NONE)));

    /** Key {@code [title, year]}, two partitions, no index. */
    public static final TableDefinition MOVIES =
            new TableDefinition("movies", List.of(FieldPath.parse("title"), FieldPath.parse("year")), 2, List.of());

    public static final Catalog CATALOG = new Catalog(List.of(CUSTOMERS, MOVIES));

    /** Largest row that {@link #rules()} accept. */
    public static final int MAX_ROW_BYTES = 2_000;

    private TestTables() {}

    /** Rules of both tables. */
    public static Map<String, RowRules> rules() {
        return rules(Definitions.first(CATALOG, Instant.EPOCH));
    }

    /** Rules of the tables of definitions. */
    public static Map<String, RowRules> rules(Definitions definitions) {
        Map<String, RowRules> rules = new LinkedHashMap<>();
        definitions
                .tables()
                .forEach(table -> rules.put(
                        table.name(), new RowRules(table.definition(), table.generations(), MAX_ROW_BYTES, 0)));
        return rules;
    }

    /** Digests that nobody adds up, of the catalog's first definitions. */
    public static FactDigests digests(FactStore store) {
        return digests(store, new TableDigestBuilder());
    }

    /** Digests of the catalog's first definitions, once a second of the times that the committer tells. */
    public static FactDigests digests(FactStore store, TableDigestBuilder sums) {
        Definitions first = Definitions.first(CATALOG, Instant.EPOCH);
        return digests(store, sums, () -> first);
    }

    /** Digests of definitions. */
    public static FactDigests digests(FactStore store, TableDigestBuilder sums, Supplier<Definitions> definitions) {
        return new FactDigests(store, definitions, sums, Duration.ofSeconds(1));
    }

    /** A desk that has the catalog in force, and knows that nothing else was published. */
    public static CatalogRegistry desk(DefinitionStore store, Clock clock) {
        CatalogRegistry registry = unconfirmedDesk(store, clock);
        confirm(registry, clock);
        return registry;
    }

    /** Has a desk publish what it changes from now on, to a log that was empty. */
    public static void confirm(CatalogRegistry registry, Clock clock) {
        DefinitionPublisher publisher =
                new DefinitionPublisher(registry, new InMemoryDefinitionLog(), () -> 1, Optional::empty, clock);
        Runnable publish = () -> {
            try {
                publisher.doWork();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        registry.publishing().onChange(publish);
        publish.run();
    }

    /** A desk that has the catalog in force, and does not know yet what was published. A change waits for 10 ms. */
    public static CatalogRegistry unconfirmedDesk(DefinitionStore store, Clock clock) {
        try {
            return CatalogRegistry.open(store, CATALOG, Set.of(), clock, Duration.ofMillis(10));
        } catch (BadDefinitionsException e) {
            throw new AssertionError(e);
        }
    }

    /** JSON with apostrophes for quotation marks. */
    public static ObjectNode json(String text) {
        try {
            return RowJson.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        } catch (BadJsonException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    public static RowDocument row(String text) {
        return RowDocument.of(json(text));
    }

    /** A customer with nothing but a key and a town. */
    public static RowDocument customer(long id, String town) {
        return row("{'customerId':" + id + ",'town':'" + town + "'}");
    }

    /** Key of a customer. */
    public static KeyBytes customerKey(long id) {
        try {
            return CUSTOMERS.keyFromJson(FieldValue.Num.of(id).toJson());
        } catch (BadKeyException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** When the change of a sequence was committed, in batches that this class makes. */
    public static Instant timeOf(long sequence) {
        return Instant.parse("2024-01-01T00:00:00Z").plus(Duration.ofSeconds(sequence));
    }

    /** A change that puts a customer. */
    public static CommittedChange put(long sequence, long id, String town) {
        return put(sequence, id, customer(id, town));
    }

    /** A change that puts that row of a customer. */
    public static CommittedChange put(long sequence, long id, RowDocument row) {
        KeyBytes key = customerKey(id);
        return new CommittedChange(
                "customers",
                CUSTOMERS.partitionOf(key),
                new ChangeEvent.Upserted(key, version(sequence), timeOf(sequence), UpsertKind.CREATE, row));
    }

    /** A change that gives a customer another town. */
    public static CommittedChange update(long sequence, long id, String town) {
        KeyBytes key = customerKey(id);
        ChangeEvent event = new ChangeEvent.Upserted(
                key, version(sequence), timeOf(sequence), UpsertKind.UPDATE, customer(id, town));
        return new CommittedChange("customers", CUSTOMERS.partitionOf(key), event);
    }

    /** A change that deletes a customer. */
    public static CommittedChange delete(long sequence, long id) {
        KeyBytes key = customerKey(id);
        return new CommittedChange(
                "customers",
                CUSTOMERS.partitionOf(key),
                new ChangeEvent.Deleted(key, version(sequence), timeOf(sequence)));
    }

    /** A batch of changes. */
    public static FactBatch batch(CommittedChange... changes) {
        CommittedChange last = changes[changes.length - 1];
        return new FactBatch(
                Arrays.asList(changes),
                new CommitPosition(last.event().version(), last.event().committedAt()),
                Map.of(),
                Map.of());
    }

    public static RowVersion version(long sequence) {
        return new RowVersion(1, sequence);
    }
}
