package dev.tidemark.index;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.tidemark.index.Condition.Operator;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowJson;

import static dev.tidemark.index.Rows.derive;
import static dev.tidemark.index.Rows.row;
import static dev.tidemark.index.Rows.where;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RowFilterTest {

    /** Values that satisfy the condition, then values that do not; {@code absent} leaves the field out. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            EQ     | [1]        | 1; 1.0; 1e0                | 2; "1"; true; null; absent; {}; [1]
            EQ     | ["a"]      | "a"                        | "A"; ""; 1; null; absent
            NE     | [1]        | 2; "1"; false              | 1; 1.00; null; absent; {}; []
            IN     | [1, "a"]   | 1.0; "a"                   | 2; "b"; null; absent; [1]
            NOT_IN | [1, "a"]   | 2; "b"; true               | 1.0; "a"; null; absent; {}
            GT     | [2000]     | 2000.5; 1e400; "1"; ""     | 2000; 1999; -1e400; true; null; absent; {}
            GTE    | [2000]     | 2000; 2001; "x"            | 1999.9; false; null; absent; []
            LT     | ["b"]      | "a"; ""; 1; true; false    | "b"; "ba"; null; absent; {}
            LTE    | ["b"]      | "b"; 5; false              | "b!"; "c"; null; absent; []
            LT     | [false]    |                            | false; true; 0; "a"; null; absent
            EXISTS | []         | 1; "x"; false; {}; []      | null; absent
            ABSENT | []         | null; absent               | 1; ""; false; {}; []
            """)
    void comparesAsTheOrderOfValuesSays(Operator operator, String operands, @Nullable String holds, String doesNot)
            throws Exception {
        RowFilter filter = new RowFilter(List.of(condition("f", operator, operands)));
        for (String value : values(holds)) {
            assertThat(filter.refusal(json(value))).as(value).isEmpty();
        }
        for (String value : values(doesNot)) {
            assertThat(filter.refusal(json(value))).as(value).isPresent();
        }
    }

    @Test
    void needsEveryConditionToHold() throws Exception {
        RowFilter filter = new RowFilter(List.of(
                condition("year", Operator.GTE, "[2000]"),
                condition("year", Operator.LT, "[2010]"),
                condition("made.in", Operator.EQ, "[\"x\"]")));

        assertThat(filter.refusal(row("{'year':2005,'made':{'in':'x'}}").tree()))
                .isEmpty();
        assertThat(filter.refusal(row("{'year':2010,'made':{'in':'x'}}").tree()))
                .isPresent();
        assertThat(filter.refusal(row("{'year':2005,'made':'x'}").tree())).isPresent();
        assertThat(RowFilter.NONE.refusal(row("{}").tree())).isEmpty();
    }

    @Test
    void namesTheConditionThatDoesNotHoldByAPlaceThatDoesNotDependOnHowTheyWereWritten() throws Exception {
        List<Condition> conditions = List.of(
                condition("year", Operator.LT, "[2010]"),
                condition("year", Operator.GTE, "[2000]"),
                condition("made.in", Operator.EQ, "[\"x\"]"));
        List<Condition> reversed = List.of(conditions.get(2), conditions.get(1), conditions.get(0));
        for (RowFilter filter : List.of(new RowFilter(conditions), new RowFilter(reversed))) {
            assertThat(filter.conditions()).containsExactly(conditions.get(2), conditions.get(1), conditions.get(0));
            assertThat(filter.refusal(row("{'year':1,'made':{'in':'y'}}").tree()))
                    .hasValue(0);
            assertThat(filter.refusal(row("{'year':1,'made':{'in':'x'}}").tree()))
                    .hasValue(1);
            assertThat(filter.refusal(row("{'year':2010,'made':{'in':'x'}}").tree()))
                    .hasValue(2);
            assertThat(filter.refusal(row("{'year':2009,'made':{'in':'x'}}").tree()))
                    .isEmpty();
        }
    }

    @Test
    void isTheSameInWhateverOrderItsConditionsAreGiven() throws Exception {
        Condition town = condition("town", Operator.GT, "[\"A\"]");
        Condition size = condition("size", Operator.LT, "[7]");

        assertThat(new RowFilter(List.of(town, size))).isEqualTo(new RowFilter(List.of(size, town)));
    }

    @Test
    void keepsRowsOutOfTheIndexBeforeTheyCouldBeRefused() throws Exception {
        IndexDefinition index = where(condition("f", Operator.EXISTS, "[]"));

        DerivedEntries filtered = DerivedEntries.none(new Absence.Filtered(0));
        assertThat(derive(index, "{'k':1}")).isEqualTo(filtered);
        assertThat(derive(index, "{'k':{}}")).isEqualTo(filtered);
        assertThat(derive(index, "{'k':1,'f':2}").keys()).hasSize(1);
    }

    @Test
    void refusesOperandsThatDoNotFit() {
        for (String operands : List.of("[]", "[1, 2]")) {
            assertThatThrownBy(() -> condition("f", Operator.EQ, operands))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> condition("f", Operator.IN, "[]")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> condition("f", Operator.EXISTS, "[true]"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        new RowFilter(List.of(condition("f", Operator.GT, "[1]"), condition("f", Operator.GT, "[2]"))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static List<String> values(@Nullable String list) {
        return list == null ? List.of() : List.of(list.split("; "));
    }

    private static JsonNode json(String value) {
        return row(value.equals("absent") ? "{}" : "{'f':" + value + "}").tree();
    }

    private static Condition condition(String field, Operator operator, String operands) throws BadInputException {
        List<FieldValue> values = new ArrayList<>();
        for (JsonNode node : RowJson.parse(operands.getBytes(StandardCharsets.UTF_8))) {
            values.add(FieldValue.of(node).orElseThrow());
        }
        return new Condition(FieldPath.parse(field), operator, values);
    }
}
