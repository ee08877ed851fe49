package dev.tidemark.index;

import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Which rows a partial index holds.
 *
 * @param conditions all must hold; none for an index over every row
 */
public record RowFilter(List<Condition> conditions) {

    /** Lets every row in. */
    public static final RowFilter NONE = new RowFilter(List.of());

    public RowFilter {
        conditions = List.copyOf(conditions);
    }

    public boolean accepts(JsonNode row) {
        return conditions.stream().allMatch(condition -> condition.holdsFor(row));
    }
}
