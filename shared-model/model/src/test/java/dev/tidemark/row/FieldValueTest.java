package dev.tidemark.row;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FieldValueTest {

    @Test
    void ordersByTypeThenByValue() throws Exception {
        List<FieldValue> ascending = new ArrayList<>();
        for (String json : List.of(
                "false",
                "true",
                "-1e400",
                "-9007199254740993",
                "-9007199254740992",
                "-0.5",
                "0",
                "1e-400",
                "1",
                "1.0000000000000000000001",
                "9007199254740992",
                "9007199254740993",
                "\"\"",
                "\"\\u0000\"",
                "\"a\"",
                "\"a\\u0000\"",
                "\"aa\"",
                "\"b\"",
                "\"\\uffff\"",
                "\"\uD83D\uDE00\"")) {
            ascending.add(value(json));
        }
        List<FieldValue> shuffled = new ArrayList<>(ascending);
        Collections.reverse(shuffled);
        Collections.sort(shuffled);

        assertThat(shuffled).isEqualTo(ascending);
    }

    @Test
    void treatsEqualNumbersAsEqual() throws Exception {
        assertThat(value("1.0")).isEqualTo(value("1")).hasSameHashCodeAs(value("1"));
        assertThat(value("1e2")).isEqualTo(value("100"));
        assertThat(value("-0.0")).isEqualTo(value("0"));
        assertThat(value("0e999999999")).isEqualTo(value("0"));
    }

    @Test
    void hasNoValueForNullAndNothing() throws Exception {
        assertThat(FieldValue.of(RowJson.parse(utf8("null")))).isEmpty();
        assertThat(FieldValue.of(RowJson.parse(utf8("{}")).path("a"))).isEmpty();
    }

    @Test
    void refusesWhatHasNoPlaceInTheOrder() {
        for (String json : List.of("{}", "[]", "[1]", "1e1000000", "-1e1000000", "1e-1000001", "1e999999999")) {
            assertThatThrownBy(() -> value(json))
                    .as(json)
                    .isInstanceOf(UnindexableValueException.class)
                    .hasMessageStartingWith("expected ");
        }
        assertThatThrownBy(() -> new FieldValue.Num(new BigDecimal("1e1000000")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FieldValue.Text("\uDC00\uD800")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void showsWholeNumbersPlainlyWhileTheyAreShort() throws Exception {
        assertThat(value("1e3").toJson()).hasToString("1000");
        assertThat(value("1.50").toJson()).hasToString("1.5");
        assertThat(value("1e400").toJson()).hasToString("1E+400");
        assertThat(value("1e-1000000").toJson()).hasToString("1E-1000000");
    }

    @Test
    void showsALongWholeNumberPlainlyOnlyWhereItIsTooLongWithAnExponent() throws Exception {
        String plain = "1".repeat(398) + "00";
        assertThat(value(plain).toJson()).hasToString(plain);
        assertThat(value("-" + plain).toJson()).hasToString("-" + plain);
        assertThat(value("1".repeat(397) + "000").toJson()).hasToString("1." + "1".repeat(396) + "E+399");
    }

    private static FieldValue value(String json) throws BadInputException {
        return FieldValue.of(RowJson.parse(utf8(json))).orElseThrow();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
