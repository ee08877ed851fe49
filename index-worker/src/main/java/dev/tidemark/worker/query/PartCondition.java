package dev.tidemark.worker.query;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import dev.tidemark.key.Order;
import dev.tidemark.row.FieldValue;

/** What is asked of one part of a key: an equality, or a range, or a beginning of the text, or nothing. */
final class PartCondition {
    static final PartCondition NONE = new PartCondition(Map.of());

    /** How a value bounds the part. */
    enum Bound {
        EQ,
        GT,
        GTE,
        LT,
        LTE,
        PREFIX;

        /** What follows the dot. */
        String suffix() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Bounds that can stand together: one from below, one from above. */
    private static final Set<Set<Bound>> PAIRS = Set.of(
            Set.of(Bound.GT, Bound.LT),
            Set.of(Bound.GT, Bound.LTE),
            Set.of(Bound.GTE, Bound.LT),
            Set.of(Bound.GTE, Bound.LTE));

    private final Map<Bound, FieldValue> bounds;

    private PartCondition(Map<Bound, FieldValue> bounds) {
        this.bounds = bounds;
    }

    boolean isEmpty() {
        return bounds.isEmpty();
    }

    boolean isEquality() {
        return bounds.containsKey(Bound.EQ);
    }

    /**
     * The condition with one more bound.
     *
     * @param name the parameter that gives it, for the message
     */
    PartCondition with(Bound bound, FieldValue value, String name) throws BadQueryException {
        Map<Bound, FieldValue> more = new EnumMap<>(Bound.class);
        more.putAll(bounds);
        boolean repeated = more.put(bound, value) != null;
        if (repeated || (more.size() > 1 && !PAIRS.contains(more.keySet()))) {
            throw new BadQueryException(
                    "expected for one part of the key an equality, a prefix, or a range of one lower"
                            + " (.gt or .gte) and one upper (.lt or .lte) bound, but got " + name
                            + " on top of another");
        }
        return new PartCondition(more);
    }

    KeyBounds narrow(KeyBounds bounded, Order order) {
        KeyBounds result = bounded;
        for (Map.Entry<Bound, FieldValue> bound : bounds.entrySet()) {
            result = narrow(result, bound.getKey(), bound.getValue(), order);
        }
        return result;
    }

    private static KeyBounds narrow(KeyBounds bounded, Bound bound, FieldValue value, Order order) {
        return switch (bound) {
            case EQ -> bounded.equalTo(value, order);
            case GT -> bounded.above(value, false, order);
            case GTE -> bounded.above(value, true, order);
            case LT -> bounded.below(value, false, order);
            case LTE -> bounded.below(value, true, order);
            case PREFIX -> bounded.startingWith(text(value), order);
        };
    }

    private static String text(FieldValue value) {
        if (value instanceof FieldValue.Text text) {
            return text.value();
        }
        throw new AssertionError("a prefix is a text, but got " + value);
    }
}
