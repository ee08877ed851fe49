package dev.tidemark.worker.explain;

import java.util.Locale;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.index.Absence;
import dev.tidemark.index.Condition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.RowJson;

/** Reasons in words. */
public final class ReasonText {
    private ReasonText() {}

    /** Why a row has no entry: {@code where requires year gte 2000}. */
    public static String of(Absence absence, IndexDefinition index) {
        if (absence instanceof Absence.Filtered filtered) {
            return "where requires " + of(index.where().conditions().get(filtered.condition()));
        }
        if (absence instanceof Absence.Elsewhere) {
            return "its entries are in other partitions";
        }
        KeyPart part = index.key().get(((Absence.NoValue) absence).part());
        return part.each()
                ? "key field " + part.field() + " holds no element"
                : "key field " + part.field() + " has no value";
    }

    /** The same with what the row has: {@code where requires year gte 2000, but year is 1994}. */
    public static String of(Absence absence, IndexDefinition index, JsonNode row) {
        FieldPath field = field(absence, index);
        return of(absence, index) + (absence instanceof Absence.Filtered ? ", but " : ": ") + field + " is "
                + value(field.in(row));
    }

    /** The field that a reason is about. */
    public static FieldPath field(Absence absence, IndexDefinition index) {
        return absence instanceof Absence.Filtered filtered
                ? index.where().conditions().get(filtered.condition()).field()
                : index.key().get(((Absence.NoValue) absence).part()).field();
    }

    /** A condition as the catalog has it: {@code year gte 2000}. */
    public static String of(Condition condition) {
        String operands = condition.operands().stream()
                .map(operand -> operand.toJson().toString())
                .collect(Collectors.joining(", "));
        return condition.field()
                + switch (condition.operator()) {
                    case EXISTS -> " exists true";
                    case ABSENT -> " exists false";
                    case IN, NOT_IN -> " " + operator(condition) + " [" + operands + "]";
                    case EQ, NE, GT, GTE, LT, LTE -> " " + operator(condition) + " " + operands;
                };
    }

    private static String operator(Condition condition) {
        return condition.operator().name().toLowerCase(Locale.ROOT);
    }

    private static String value(JsonNode node) {
        return node.isMissingNode() ? "absent" : RowJson.describe(node);
    }
}
