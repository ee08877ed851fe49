package dev.tidemark.deploy.simulation;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.RowSource;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.Condition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowJson;

/** A small table with an index of each kind, one beside it with a single partition, and random rows for both. */
final class SampleTable {
    static final String NAME = "items";
    static final int ROWS = 12;

    static final IndexDefinition BY_TAG = new IndexDefinition(
            NAME,
            "by_tag",
            List.of(new KeyPart(FieldPath.parse("tags"), Order.ASC, true)),
            new Projection.Fields(List.of(FieldPath.parse("town"))),
            RowFilter.NONE);

    static final IndexDefinition BY_SIZE = new IndexDefinition(
            NAME,
            "by_size",
            List.of(KeyPart.of("size")),
            new Projection.Fields(List.of(FieldPath.parse("town"))),
            RowFilter.NONE);

    /** One index, as it may be defined from one time to another. */
    static final List<IndexDefinition> VARIANTS_BY_TOWN = Stream.of(
                    new Projection.All(),
                    new Projection.KeysOnly(),
                    new Projection.Fields(List.of(FieldPath.parse("size"))))
            .map(projection -> byTown(NAME, projection))
            .toList();

    private static final List<FieldPath> PRIMARY_KEY = List.of(FieldPath.parse("id"));

    /** The table beside it. */
    static final TableDefinition BESIDE =
            new TableDefinition("notes", PRIMARY_KEY, 1, List.of(byTown("notes", new Projection.All())));

    /** Its indexes, each as it may be defined from one time to another: local, and partitioned by its own key. */
    static final List<List<IndexDefinition>> SCOPES = Stream.of(
                    byTown(BESIDE.name(), new Projection.All()), BY_TAG.of(BESIDE.name()))
            .map(index -> List.of(index, global(index, 2, 1), global(index, 3, 2)))
            .toList();

    /** How many partitions it may have from one time to another. */
    static final List<Integer> SIZES = List.of(1, 2, 3);

    /** The same with indexes that are partitioned by their keys; the rows of each town are in two partitions. */
    static final TableDefinition GLOBAL = beside(
            BESIDE.partitions(), List.of(SCOPES.get(0).get(2), SCOPES.get(1).get(1)));

    /** The same with other indexes, as it is before it grows. */
    static final TableDefinition GROWING = beside(
            BESIDE.partitions(), List.of(SCOPES.get(0).get(0), SCOPES.get(1).get(0)));

    /** The same, once it has grown. */
    private static final TableDefinition GROWN = beside(3, GROWING.indexes());

    /** The same, whose rows come from another database. */
    static final TableDefinition FOLLOWING = new TableDefinition(
            BESIDE.name(),
            BESIDE.primaryKey(),
            BESIDE.partitions(),
            BESIDE.indexes(),
            Optional.of(new RowSource(SimulatedShop.NAME, "notes")));

    /** What the table beside it may be when a run begins. */
    static final List<TableDefinition> KINDS_BESIDE = List.of(FOLLOWING, BESIDE, GLOBAL, GROWING);

    static final List<String> TOWNS = List.of("Aachen", "Bern", "Cork");
    static final List<String> TAGS = List.of("red", "green", "blue", "round");

    private SampleTable() {}

    static TableDefinition definition() {
        FieldPath size = FieldPath.parse("size");
        return with(List.of(
                VARIANTS_BY_TOWN.get(0),
                BY_TAG,
                new IndexDefinition(
                        NAME,
                        "big",
                        List.of(new KeyPart(size, Order.DESC, false)),
                        new Projection.KeysOnly(),
                        new RowFilter(
                                List.of(new Condition(size, Condition.Operator.GTE, List.of(FieldValue.Num.of(3))))))));
    }

    /** The table with other indexes. */
    static TableDefinition with(List<IndexDefinition> indexes) {
        return new TableDefinition(NAME, PRIMARY_KEY, 2, indexes);
    }

    /** The table beside it, with other indexes, and so many partitions. */
    static TableDefinition beside(int partitions, List<IndexDefinition> indexes) {
        return new TableDefinition(BESIDE.name(), PRIMARY_KEY, partitions, indexes);
    }

    /** In force for the first time; the indexes are generations from 1 on. */
    static Definitions definitions(List<TableDefinition> tables) {
        Definitions first = Definitions.first(new Catalog(tables), Instant.EPOCH);
        return first.changed(
                new Catalog(tables.stream()
                        .map(table -> table.equals(GROWING) ? GROWN : table)
                        .toList()),
                Instant.EPOCH);
    }

    /** A row with that id; now and then without town or size, or with a tag twice. */
    static ObjectNode row(int id, RandomSource chance) {
        ObjectNode row = RowJson.mapper().createObjectNode();
        row.put("id", id);
        if (!chance.oneIn(5)) {
            row.put("town", chance.pick(TOWNS));
        }
        if (!chance.oneIn(5)) {
            row.put("size", chance.below(6));
        }
        ArrayNode tags = row.putArray("tags");
        int count = chance.below(4);
        for (int i = 0; i < count; i++) {
            tags.add(chance.pick(TAGS));
        }
        return row;
    }

    private static IndexDefinition global(IndexDefinition index, int partitions, int salt) {
        return new IndexDefinition(
                index.table(), index.name(), index.key(), index.projection(), index.where(), partitions, salt);
    }

    private static IndexDefinition byTown(String table, Projection projection) {
        return new IndexDefinition(table, "by_town", List.of(KeyPart.of("town")), projection, RowFilter.NONE);
    }
}
