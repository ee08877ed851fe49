package dev.tidemark.deploy.oracle;

import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.index.Condition;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;

/** Whether a row belongs into an index, by the words of the catalog: absent and null satisfy no comparison. */
final class Conditions {
    private Conditions() {}

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
        return operands.stream().anyMatch(operand -> ValueOrder.INSTANCE.compare(operand, value) == 0);
    }

    private static int order(JsonNode value, List<JsonNode> operands) {
        return ValueOrder.INSTANCE.compare(value, operands.get(0));
    }
}
