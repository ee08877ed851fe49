package dev.tidemark.deploy.simulation;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.key.Order;

/**
 * The part of an index of {@link SampleTable} that a client reads, and from which end. Which values are in it is worked
 * out without the keys of the index.
 *
 * @param conditions the parameters that ask for it
 * @param holds whether a value of the first key part is in it; values are texts, or numbers of one digit
 */
record AskedBlock(Map<String, List<String>> conditions, Predicate<String> holds, Order order) {
    /** The whole index. */
    static final AskedBlock ALL = new AskedBlock(Map.of(), value -> true, Order.ASC);

    private static final List<String> DIGITS = List.of("0", "1", "2", "3", "4", "5");

    /** Half of the questions are for all entries, and a third of all are for the last ones first. */
    static AskedBlock any(IndexDefinition index, RandomSource chance) {
        Order order = chance.oneIn(3) ? Order.DESC : Order.ASC;
        String field = index.key().get(0).field().toString();
        List<String> values = values(field);
        String one = chance.pick(values);
        String other = chance.pick(values);
        return switch (chance.below(8)) {
            case 0 -> of(Map.of(field, one), one::equals, order);
            case 1 -> of(Map.of(field + ".gte", one), value -> value.compareTo(one) >= 0, order);
            case 2 ->
                of(
                        Map.of(field + ".gt", one, field + ".lte", other),
                        value -> value.compareTo(one) > 0 && value.compareTo(other) <= 0,
                        order);
            case 3 -> values == DIGITS ? of(Map.of(field, one), one::equals, order) : startingWith(field, one, order);
            default -> of(Map.of(), value -> true, order);
        };
    }

    private static AskedBlock startingWith(String field, String value, Order order) {
        String start = value.substring(0, 1);
        return of(Map.of(field + ".prefix", start), any -> any.startsWith(start), order);
    }

    private static AskedBlock of(Map<String, String> conditions, Predicate<String> holds, Order order) {
        Map<String, List<String>> given = new TreeMap<>(Map.of("order", List.of(order == Order.ASC ? "asc" : "desc")));
        conditions.forEach((name, value) -> given.put(name, List.of(value)));
        return new AskedBlock(given, holds, order);
    }

    private static List<String> values(String field) {
        return switch (field) {
            case "town" -> SampleTable.TOWNS;
            case "tags" -> SampleTable.TAGS;
            default -> DIGITS;
        };
    }
}
