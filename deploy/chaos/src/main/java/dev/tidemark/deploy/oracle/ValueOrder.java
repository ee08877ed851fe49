package dev.tidemark.deploy.oracle;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/** The order of values that users are promised: false, true, numbers exactly, strings by code point. */
final class ValueOrder implements Comparator<JsonNode> {
    static final ValueOrder INSTANCE = new ValueOrder();

    /** Lists of values, the first difference deciding. */
    static final Comparator<List<JsonNode>> OF_LISTS = (a, b) -> {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int order = INSTANCE.compare(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    };

    private ValueOrder() {}

    @Override
    public int compare(JsonNode a, JsonNode b) {
        if (a.isNumber() && b.isNumber()) {
            return a.decimalValue().compareTo(b.decimalValue());
        }
        if (a.isTextual() && b.isTextual()) {
            return Arrays.compare(
                    a.asText().codePoints().toArray(), b.asText().codePoints().toArray());
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
}
