package dev.tidemark.deploy.oracle;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.BadKeyException;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.Condition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.UnindexableValueException;

/** What an index has to answer, worked out from the rows by other means than the product's. */
public final class ExpectedEntries {
    private static final int SHOWN = 25;

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
                .filter(fact -> hold(index.where().conditions(), fact.row()))
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
            if (!isAbsent(answered.path(field))) {
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
        JsonNode value = at(part.field(), row);
        TreeSet<JsonNode> distinct = new TreeSet<>(ExpectedEntries::compare);
        for (JsonNode one : part.each() && value.isArray() ? value : List.of(value)) {
            if (!isAbsent(one)) {
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
        entry.put("shard", shardOf(table, index, key.get(0), fact));
        entry.put("version", fact.version());
        if (index.projection() instanceof Projection.All) {
            entry.set("row", fact.row());
        } else if (index.projection() instanceof Projection.Fields fields) {
            entry.set("row", projected(fields.paths(), fact.row()));
        }
        return Canonical.text(entry);
    }

    private static int shardOf(TableDefinition table, IndexDefinition index, JsonNode first, Fact fact) {
        try {
            KeyBytes key = table.keyFromJson(fact.key());
            return index.isGlobal()
                    ? index.partitionOf(FieldValue.of(first).orElseThrow(), key)
                    : table.partitionOf(key);
        } catch (BadKeyException | UnindexableValueException e) {
            throw new IllegalStateException("Expected a row of " + index.qualifiedName() + ", but got " + fact, e);
        }
    }

    private static ObjectNode projected(List<FieldPath> paths, JsonNode row) {
        ObjectNode projected = RowJson.mapper().createObjectNode();
        for (FieldPath path : paths) {
            JsonNode value = at(path, row);
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
            int order = compareLists(a.key(), b.key(), i -> index.key().get(i).order() == Order.DESC);
            return order != 0 ? order : compareLists(a.primaryKey(), b.primaryKey(), i -> false);
        };
    }

    private static List<JsonNode> partsOf(JsonNode primaryKey) {
        List<JsonNode> parts = new ArrayList<>();
        (primaryKey.isArray() ? primaryKey : List.of(primaryKey)).forEach(parts::add);
        return parts;
    }

    static boolean hold(List<Condition> conditions, JsonNode row) {
        return conditions.stream().allMatch(condition -> holds(condition, row));
    }

    /** What stands at a path; a missing node where nothing does. */
    static JsonNode at(FieldPath path, JsonNode row) {
        JsonNode node = row;
        for (String segment : path.segments()) {
            node = node.path(segment);
        }
        return node;
    }

    static boolean isAbsent(JsonNode value) {
        return value.isNull() || value.isMissingNode();
    }

    private static boolean holds(Condition condition, JsonNode row) {
        JsonNode value = at(condition.field(), row);
        List<JsonNode> operands =
                condition.operands().stream().map(FieldValue::toJson).toList();
        if (isAbsent(value)) {
            return condition.operator() == Condition.Operator.ABSENT;
        }
        if (value.isContainerNode()) {
            return condition.operator() == Condition.Operator.EXISTS;
        }
        return switch (condition.operator()) {
            case EXISTS -> true;
            case ABSENT -> false;
            case EQ, IN -> anyEqual(operands, value);
            case NE, NOT_IN -> !anyEqual(operands, value);
            case GT -> order(value, operands) > 0;
            case GTE -> order(value, operands) >= 0;
            case LT -> order(value, operands) < 0;
            case LTE -> order(value, operands) <= 0;
        };
    }

    private static boolean anyEqual(List<JsonNode> operands, JsonNode value) {
        return operands.stream().anyMatch(operand -> compare(operand, value) == 0);
    }

    private static int order(JsonNode value, List<JsonNode> operands) {
        return compare(value, operands.get(0));
    }

    /** The order of values that users are promised: false, true, numbers exactly, strings by code point. */
    static int compare(JsonNode a, JsonNode b) {
        if (a.isNumber() && b.isNumber()) {
            return a.decimalValue().compareTo(b.decimalValue());
        }
        if (a.isTextual() && b.isTextual()) {
            int[] points = a.asText().codePoints().toArray();
            return Arrays.compare(points, b.asText().codePoints().toArray());
        }
        return Integer.compare(rank(a), rank(b));
    }

    private static int rank(JsonNode value) {
        if (value.isBoolean()) {
            return value.asBoolean() ? 1 : 0;
        }
        if (value.isNumber()) {
            return 2;
        }
        if (value.isTextual()) {
            return 3;
        }
        throw new IllegalArgumentException("Expected a value that has a place in the order, but got " + value);
    }

    /** The first difference of two lists decides; at some places the greater value comes first. */
    private static int compareLists(List<JsonNode> a, List<JsonNode> b, IntPredicate isDescending) {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int order = compare(a.get(i), b.get(i));
            if (order != 0) {
                return isDescending.test(i) ? -order : order;
            }
        }
        return Integer.compare(a.size(), b.size());
    }

    /** Nothing when the entries found are the expected ones in the expected order; of many differences, the first. */
    public static List<String> differences(String index, List<String> expected, List<String> found) {
        if (expected.equals(found)) {
            return List.of();
        }
        Map<String, Integer> balance = new HashMap<>();
        expected.forEach(entry -> balance.merge(entry, 1, Integer::sum));
        found.forEach(entry -> balance.merge(entry, -1, Integer::sum));
        balance.values().removeIf(count -> count == 0);
        List<String> complaints = new ArrayList<>();
        complaints.add(index + ": " + found.size() + " entries instead of " + expected.size());
        balance.forEach((entry, count) -> {
            if (complaints.size() < SHOWN) {
                complaints.add(index + (count > 0 ? " lacks " : " has too many of ") + entry);
            }
        });
        if (balance.isEmpty()) {
            int at = 0;
            while (expected.get(at).equals(found.get(at))) {
                at++;
            }
            complaints.add(index + " is out of order at " + at + ": " + found.get(at) + " stands where "
                    + expected.get(at) + " should");
        }
        return complaints;
    }

    /**
     * Whether an answer that was given while rows were written can be right: of every row it holds exactly the entries
     * that one state of the row gives, and that state was there at some moment between the one up to which the answer
     * says it is complete, and its end.
     *
     * @param table with the row's place
     * @param index that was asked
     * @param value that the first part of the key was asked to have
     */
    public record AnswerJudge(TableDefinition table, IndexDefinition index, JsonNode value) {

        /**
         * What is wrong with the entries of one row; empty when nothing is.
         *
         * @param key primary key of the row
         * @param states in which the row may be seen
         * @param entries those of the row, as they were answered
         */
        public List<String> judge(JsonNode key, List<RowTimeline.State> states, List<JsonNode> entries) {
            List<String> found =
                    entries.stream().map(ExpectedEntries::textOf).sorted().toList();
            String version =
                    entries.isEmpty() ? "" : entries.get(0).path("version").asText();
            for (RowTimeline.State state : states) {
                if (found.equals(expected(key, state, version))) {
                    return List.of();
                }
            }
            return List.of(index.qualifiedName() + " for " + value + " answered " + found + " of row "
                    + Canonical.text(key) + ", which can only be " + states.size() + " states, the last "
                    + states.get(states.size() - 1));
        }

        /** The entries of an answer by the canonical text of their rows' keys. */
        public static Map<String, List<JsonNode>> byRow(JsonNode answer) {
            Map<String, List<JsonNode>> rows = new TreeMap<>();
            for (JsonNode entry : answer.path("entries")) {
                rows.computeIfAbsent(Canonical.text(entry.path("primaryKey")), key -> new ArrayList<>())
                        .add(entry);
            }
            return rows;
        }

        /**
         * Returns up to when an answer claims to be complete, by the caller's clock; {@link Instant#MIN} when it makes
         * no claim.
         *
         * @param asked before the question was sent
         */
        public static Instant completeUpTo(JsonNode answer, Instant asked) {
            JsonNode staleness = answer.path("freshness").path("stalenessMs");
            return staleness.isNumber() ? asked.minusMillis(staleness.asLong()) : Instant.MIN;
        }

        private List<String> expected(JsonNode key, RowTimeline.State state, String answered) {
            if (state.row().isEmpty()) {
                return List.of();
            }
            return ExpectedEntries.of(
                            table,
                            index,
                            List.of(new Fact(
                                    key, state.versionIn(answered), state.row().get())),
                            parts -> compare(parts.get(0), value) == 0)
                    .stream()
                    .sorted()
                    .toList();
        }
    }
}
