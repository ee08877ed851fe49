package dev.tidemark.deploy.oracle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.BadKeyException;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.RowJson;

/** What an index has to answer, worked out from the rows by other means than the product's. */
public final class ExpectedEntries {
    /** An entry, with what its place in the order depends on. */
    private record Entry(List<JsonNode> key, List<JsonNode> primaryKey, String text) {}

    private ExpectedEntries() {}

    /** The entries as canonical text, in index order. */
    public static List<String> of(TableDefinition table, IndexDefinition index, List<Fact> facts) {
        return of(table, index, facts, key -> true);
    }

    /** The same, only those with such a key. */
    public static List<String> of(
            TableDefinition table, IndexDefinition index, List<Fact> facts, Predicate<List<JsonNode>> wanted) {
        return facts.stream()
                .filter(fact -> Conditions.hold(index.where().conditions(), fact.row()))
                .flatMap(fact -> entriesOf(table, index, fact))
                .filter(entry -> wanted.test(entry.key()))
                .sorted(order(index))
                .map(Entry::text)
                .toList();
    }

    /** An entry of an answer in the same form. */
    public static String textOf(JsonNode answered) {
        ObjectNode shown = RowJson.mapper().createObjectNode();
        for (String field : List.of("key", "primaryKey", "shard", "version", "row")) {
            if (!Conditions.isAbsent(answered.path(field))) {
                shown.set(field, answered.path(field));
            }
        }
        return Canonical.text(shown);
    }

    private static Stream<Entry> entriesOf(TableDefinition table, IndexDefinition index, Fact fact) {
        List<List<JsonNode>> keys = List.of(List.of());
        for (KeyPart part : index.key()) {
            List<List<JsonNode>> longer = new ArrayList<>();
            for (List<JsonNode> key : keys) {
                for (JsonNode value : valuesOf(part, fact.row())) {
                    List<JsonNode> extended = new ArrayList<>(key);
                    extended.add(value);
                    longer.add(extended);
                }
            }
            keys = longer;
        }
        return keys.stream().map(key -> new Entry(key, partsOf(fact.key()), text(table, index, key, fact)));
    }

    /** No value, one, or for an array that is taken apart every distinct one. */
    private static List<JsonNode> valuesOf(KeyPart part, JsonNode row) {
        JsonNode value = Conditions.at(part.field(), row);
        TreeSet<JsonNode> distinct = new TreeSet<>(ValueOrder.INSTANCE);
        for (JsonNode one : part.each() && value.isArray() ? value : List.of(value)) {
            if (!Conditions.isAbsent(one)) {
                distinct.add(one);
            }
        }
        return List.copyOf(distinct);
    }

    private static String text(TableDefinition table, IndexDefinition index, List<JsonNode> key, Fact fact) {
        ObjectNode entry = RowJson.mapper().createObjectNode();
        ObjectNode parts = entry.putObject("key");
        for (int i = 0; i < key.size(); i++) {
            parts.set(index.key().get(i).field().toString(), key.get(i));
        }
        entry.set("primaryKey", fact.key());
        entry.put("shard", shardOf(table, fact));
        entry.put("version", fact.version());
        if (index.projection() instanceof Projection.All) {
            entry.set("row", fact.row());
        } else if (index.projection() instanceof Projection.Fields fields) {
            entry.set("row", projected(fields.paths(), fact.row()));
        }
        return Canonical.text(entry);
    }

    private static int shardOf(TableDefinition table, Fact fact) {
        try {
            return table.partitionOf(table.keyFromJson(fact.key()));
        } catch (BadKeyException e) {
            throw new IllegalStateException("Expected a key of " + table.name() + " in " + fact, e);
        }
    }

    private static ObjectNode projected(List<FieldPath> paths, JsonNode row) {
        ObjectNode projected = RowJson.mapper().createObjectNode();
        for (FieldPath path : paths) {
            JsonNode value = Conditions.at(path, row);
            if (!value.isMissingNode()) {
                ObjectNode target = projected;
                for (String segment : path.segments().subList(0, path.segments().size() - 1)) {
                    target = target.withObjectProperty(segment);
                }
                target.set(path.segments().get(path.segments().size() - 1), value);
            }
        }
        return projected;
    }

    private static Comparator<Entry> order(IndexDefinition index) {
        return (a, b) -> {
            for (int i = 0; i < index.key().size(); i++) {
                int order = ValueOrder.INSTANCE.compare(a.key().get(i), b.key().get(i));
                if (order != 0) {
                    return index.key().get(i).order() == Order.DESC ? -order : order;
                }
            }
            return ValueOrder.OF_LISTS.compare(a.primaryKey(), b.primaryKey());
        };
    }

    private static List<JsonNode> partsOf(JsonNode primaryKey) {
        List<JsonNode> parts = new ArrayList<>();
        (primaryKey.isArray() ? primaryKey : List.of(primaryKey)).forEach(parts::add);
        return parts;
    }
}
