package dev.tidemark.worker.query;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.SpelledValue;
import dev.tidemark.row.UnindexableValueException;

/** The conditions of a query, by the part of the key that they are about. */
final class PartConditions {
    /** Bounds that can stand together: one from below, one from above. */
    private static final Set<Set<Bound>> PAIRS = Set.of(
            Set.of(Bound.GT, Bound.LT),
            Set.of(Bound.GT, Bound.LTE),
            Set.of(Bound.GTE, Bound.LT),
            Set.of(Bound.GTE, Bound.LTE));

    private final IndexDefinition index;
    private final Map<KeyPart, Map<Bound, FieldValue>> conditions = new HashMap<>();

    /** How a value bounds a part; a parameter names it behind a dot. */
    private enum Bound {
        EQ,
        GT,
        GTE,
        LT,
        LTE,
        PREFIX
    }

    /**
     * Reads conditions.
     *
     * @param given values as written, by field with or without the name of a bound
     */
    PartConditions(IndexDefinition index, Map<String, String> given) throws BadQueryException {
        this.index = index;
        for (Map.Entry<String, String> parameter : given.entrySet()) {
            add(parameter.getKey(), parameter.getValue());
        }
    }

    /**
     * Returns the block of keys that fit.
     *
     * @throws BadQueryException when the conditions do not select one block
     */
    KeyRange block() throws BadQueryException {
        KeyBounds bounds = KeyBounds.all();
        boolean open = false;
        for (KeyPart part : index.key()) {
            Map<Bound, FieldValue> condition = conditions.getOrDefault(part, Map.of());
            if (open && !condition.isEmpty()) {
                throw new BadQueryException(misplaced(part));
            }
            for (Map.Entry<Bound, FieldValue> bound : condition.entrySet()) {
                bounds = narrow(bounds, bound.getKey(), bound.getValue(), part.order());
            }
            open = open || !condition.containsKey(Bound.EQ);
        }
        return bounds.block();
    }

    private static KeyBounds narrow(KeyBounds bounded, Bound bound, FieldValue value, Order order) {
        return switch (bound) {
            case EQ -> bounded.equalTo(value, order);
            case GT -> bounded.above(value, false, order);
            case GTE -> bounded.above(value, true, order);
            case LT -> bounded.below(value, false, order);
            case LTE -> bounded.below(value, true, order);
            case PREFIX -> bounded.startingWith(((FieldValue.Text) value).value(), order);
        };
    }

    private void add(String name, String text) throws BadQueryException {
        Optional<KeyPart> whole = part(name);
        int dot = name.lastIndexOf('.');
        Optional<KeyPart> before = dot > 0 ? part(name.substring(0, dot)) : Optional.empty();
        if (whole.isPresent()) {
            put(whole.get(), Bound.EQ, name, text);
        } else if (before.isPresent()) {
            put(before.get(), bound(name, name.substring(dot + 1)), name, text);
        } else {
            throw new BadQueryException("expected a condition on one of the key parts "
                    + names(index.key(), ", ")
                    + " of index " + index.name()
                    + ", or one of " + String.join(", ", QueryParser.STEERING) + ", but got " + name);
        }
    }

    private Optional<KeyPart> part(String field) {
        return index.key().stream()
                .filter(part -> part.field().toString().equals(field))
                .findFirst();
    }

    private void put(KeyPart part, Bound bound, String name, String text) throws BadQueryException {
        Map<Bound, FieldValue> bounds = conditions.computeIfAbsent(part, first -> new EnumMap<>(Bound.class));
        boolean repeated = bounds.put(bound, value(name, bound, text)) != null;
        if (repeated || (bounds.size() > 1 && !PAIRS.contains(bounds.keySet()))) {
            throw new BadQueryException(
                    "expected for one part of the key an equality, a prefix, or a range of one lower"
                            + " (.gt or .gte) and one upper (.lt or .lte) bound, but got " + name
                            + " on top of another");
        }
    }

    private static Bound bound(String name, String suffix) throws BadQueryException {
        for (Bound bound : Bound.values()) {
            if (bound.name().toLowerCase(Locale.ROOT).equals(suffix)) {
                return bound;
            }
        }
        throw new BadQueryException(
                "expected one of .eq, .gt, .gte, .lt, .lte, .prefix, but got ." + suffix + " in " + name);
    }

    private static FieldValue value(String name, Bound bound, String text) throws BadQueryException {
        JsonNode spelled = spelled(name, text);
        if (bound == Bound.PREFIX && !spelled.isTextual()) {
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

    private static JsonNode spelled(String name, String text) throws BadQueryException {
        try {
            return SpelledValue.parse(text);
        } catch (BadJsonException e) {
            throw new BadQueryException(name + ": " + e.getMessage(), ProblemType.NUMBER_TOO_LONG);
        }
    }

    private String misplaced(KeyPart part) {
        List<KeyPart> key = index.key();
        return "expected an equality on "
                + names(key.subList(0, key.indexOf(part)), " and on ")
                + " before any condition on " + part.field() + ", because the key of index "
                + index.name() + " is [" + names(key, ", ")
                + "]: equalities on leading parts, and a range on the next one only";
    }

    private static String names(List<KeyPart> parts, String between) {
        return parts.stream().map(part -> part.field().toString()).collect(Collectors.joining(between));
    }
}
