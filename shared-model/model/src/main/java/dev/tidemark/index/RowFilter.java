package dev.tidemark.index;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Which rows a partial index holds.
 *
 * @param conditions all must hold; none for an index over every row; each operator at most once for a field. In one
 *     order, by field and operator, however they were given, so that a position among them can be stored
 */
public record RowFilter(List<Condition> conditions) {

    // Before the constant, whose constructor needs it.
    private static final Comparator<Condition> CANONICAL = Comparator.comparing(
                    (Condition condition) -> condition.field().toString())
            .thenComparing(condition -> condition.operator().name());

    /** Lets every row in. */
    public static final RowFilter NONE = new RowFilter(List.of());

    public RowFilter {
        conditions = conditions.stream().sorted(CANONICAL).toList();
        long tests = conditions.stream()
                .map(condition -> condition.field() + " " + condition.operator())
                .distinct()
                .count();
        if (tests < conditions.size()) {
            throw new IllegalArgumentException("Expected each test of a field once, but got " + conditions);
        }
    }

    /** Position of the first condition that does not hold for a row; empty when all do. */
    public OptionalInt refusal(JsonNode row) {
        for (int i = 0; i < conditions.size(); i++) {
            if (!conditions.get(i).holdsFor(row)) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }
}
