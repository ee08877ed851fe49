package dev.tidemark.worker.query;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.SpelledValue;
import dev.tidemark.row.UnindexableValueException;

/** The conditions of a question, by the part of the key that they are about. */
final class PartConditions {
    private final IndexDefinition index;
    private final Map<KeyPart, PartCondition> conditions = new HashMap<>();

    PartConditions(IndexDefinition index, Map<String, String> given) throws BadQueryException {
        this.index = index;
        for (Map.Entry<String, String> parameter : given.entrySet()) {
            add(parameter.getKey(), parameter.getValue());
        }
    }

    /** What is asked of a part; a condition without bounds when nothing is. */
    PartCondition on(KeyPart part) {
        return conditions.getOrDefault(part, PartCondition.NONE);
    }

    private void add(String name, String text) throws BadQueryException {
        for (KeyPart part : index.key()) {
            String field = part.field().toString();
            if (name.equals(field)) {
                put(part, PartCondition.Bound.EQ, name, text);
                return;
            }
        }
        int dot = name.lastIndexOf('.');
        for (KeyPart part : index.key()) {
            if (dot > 0 && name.substring(0, dot).equals(part.field().toString())) {
                put(part, bound(name, name.substring(dot + 1)), name, text);
                return;
            }
        }
        throw new BadQueryException("expected a condition on one of the key parts "
                + index.key().stream().map(part -> part.field().toString()).collect(Collectors.joining(", "))
                + " of index " + index.name() + ", or one of order, limit, cursor, fetch, token, wait, max_staleness,"
                + " but got " + name);
    }

    private void put(KeyPart part, PartCondition.Bound bound, String name, String text) throws BadQueryException {
        conditions.put(part, on(part).with(bound, value(name, bound, text), name));
    }

    private static PartCondition.Bound bound(String name, String suffix) throws BadQueryException {
        for (PartCondition.Bound bound : PartCondition.Bound.values()) {
            if (bound.suffix().equals(suffix)) {
                return bound;
            }
        }
        throw new BadQueryException(
                "expected one of .eq, .gt, .gte, .lt, .lte, .prefix, but got ." + suffix + " in " + name);
    }

    private static FieldValue value(String name, PartCondition.Bound bound, String text) throws BadQueryException {
        JsonNode spelled = SpelledValue.parse(text);
        if (bound == PartCondition.Bound.PREFIX && !spelled.isTextual()) {
            throw new BadQueryException("expected a string for " + name + ", but got " + RowJson.describe(spelled)
                    + "; to mean the string, put it in double quotes: " + name + "=\"" + text + "\"");
        }
        try {
            return FieldValue.of(spelled)
                    .orElseThrow(() -> new BadQueryException("expected a value for " + name
                            + ", but got null, of which an index has no entries; to mean the string, write \"null\""));
        } catch (UnindexableValueException e) {
            throw new BadQueryException(name + ": " + e.getMessage());
        }
    }
}
