package dev.tidemark.index;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.UnindexableValueException;

/**
 * One test on one field. As in SQL, a field that is absent or null satisfies no comparison, not even {@code ne}; only
 * {@link Operator#ABSENT} holds for it. An object or array satisfies {@link Operator#EXISTS} and nothing else.
 *
 * @param field where the value stands
 * @param operator the test
 * @param operands what the value is compared with: one for the comparisons, one or more for in and not_in, none
 *     for exists and absent
 */
public record Condition(FieldPath field, Operator operator, List<FieldValue> operands) {

    /** The tests that {@code where} knows. */
    public enum Operator {
        EQ,
        NE,
        IN,
        NOT_IN,
        GT,
        GTE,
        LT,
        LTE,
        EXISTS,
        ABSENT
    }

    public Condition {
        operands = List.copyOf(operands);
        boolean right = switch (operator) {
            case EXISTS, ABSENT -> operands.isEmpty();
            case IN, NOT_IN -> !operands.isEmpty();
            case EQ, NE, GT, GTE, LT, LTE -> operands.size() == 1;
        };
        if (!right) {
            throw new IllegalArgumentException("Expected operands that fit " + operator + ", but got " + operands);
        }
    }

    boolean holdsFor(JsonNode row) {
        JsonNode node = field.in(row);
        boolean present = !node.isMissingNode() && !node.isNull();
        return switch (operator) {
            case EXISTS -> present;
            case ABSENT -> !present;
            case EQ, NE, IN, NOT_IN, GT, GTE, LT, LTE ->
                scalar(node).filter(this::compares).isPresent();
        };
    }

    private boolean compares(FieldValue value) {
        return switch (operator) {
            case EQ, IN -> operands.contains(value);
            case NE, NOT_IN -> !operands.contains(value);
            case GT -> value.compareTo(operands.get(0)) > 0;
            case GTE -> value.compareTo(operands.get(0)) >= 0;
            case LT -> value.compareTo(operands.get(0)) < 0;
            case LTE -> value.compareTo(operands.get(0)) <= 0;
            case EXISTS, ABSENT -> throw new AssertionError(operator + " compares nothing");
        };
    }

    private static Optional<FieldValue> scalar(JsonNode node) {
        try {
            return FieldValue.of(node);
        } catch (UnindexableValueException e) {
            // Outside the order of values, so no comparison holds.
            return Optional.empty();
        }
    }
}
