package dev.tidemark.index;

import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Which rows a partial index holds.
 *
 * @param conditions all must hold; none for an index over every row; each operator at most once for a field
 */
public record RowFilter(List<Condition> conditions) {

    /** Lets every row in. */
    public static final RowFilter NONE = new RowFilter(List.of());

    public RowFilter {
        conditions = List.copyOf(conditions);
        long tests = conditions.stream()
                .map(condition -> condition.field() + " " + condition.operator())
                .distinct()
                .count();
        if (tests < conditions.size()) {
            throw new IllegalArgumentException("Expected each test of a field once, but got " + conditions);
        }
    }

    public boolean accepts(JsonNode row) {
        return conditions.stream().allMatch(condition -> condition.holdsFor(row));
    }
}
