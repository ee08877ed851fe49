package dev.tidemark.key;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.quicktheories.core.Gen;
import org.quicktheories.generators.Generate;

import dev.tidemark.row.FieldValue;

import static dev.tidemark.key.Values.encode;
import static dev.tidemark.key.Values.orders;
import static dev.tidemark.key.Values.property;
import static dev.tidemark.key.Values.reference;
import static dev.tidemark.key.Values.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.lists;

class KeyOrderTest {

    @Test
    void byteOrderIsValueOrder() {
        property().forAll(values(), values()).checkAssert((a, b) -> {
            int expected = Integer.signum(reference().compare(a, b));
            assertThat(order(encode(a, Order.ASC), encode(b, Order.ASC))).isEqualTo(expected);
            assertThat(order(encode(a, Order.DESC), encode(b, Order.DESC))).isEqualTo(-expected);
            assertThat(Integer.signum(a.compareTo(b))).isEqualTo(expected);
        });
    }

    @Test
    void numbersThatLieCloseKeepTheirOrder() {
        property().forAll(Values.numbers(), integers().between(0, 5)).checkAssert((number, digitsFiner) -> {
            BigDecimal next = number.add(number.ulp().scaleByPowerOfTen(-digitsFiner));
            KeyBytes key = encode(new FieldValue.Num(number), Order.ASC);
            assertThat(order(key, encode(new FieldValue.Num(next), Order.ASC))).isEqualTo(-1);
        });
    }

    @Test
    void byteOrderOfKeysIsTheOrderOfTheirParts() {
        // Few distinct values, so that keys often share their first parts.
        Gen<FieldValue> few = Generate.pick(List.of(
                text(""),
                text("\0"),
                text("a"),
                text("a\0"),
                text("a\uFFFF"),
                number("0"),
                number("1"),
                number("1.5"),
                number("-1"),
                number("-1.5"),
                new FieldValue.Bool(false),
                new FieldValue.Bool(true)));
        Gen<List<FieldValue>> keys = lists().of(Generate.oneOf(few, values())).ofSize(3);
        property().forAll(keys, keys, orders(3)).checkAssert((a, b, orders) -> {
            int expected = 0;
            for (int i = 0; i < orders.size() && expected == 0; i++) {
                int part = Integer.signum(reference().compare(a.get(i), b.get(i)));
                expected = orders.get(i) == Order.DESC ? -part : part;
            }
            assertThat(order(encode(a, orders), encode(b, orders))).isEqualTo(expected);
        });
    }

    @Test
    void everyPairOfAwkwardValuesIsInOrder() {
        List<FieldValue> ascending = new ArrayList<>(List.of(new FieldValue.Bool(false), new FieldValue.Bool(true)));
        for (String number : List.of(
                "-9.9e999999",
                "-1.1e101",
                "-1e101",
                "-1e100",
                "-1e99",
                "-100.5",
                "-100",
                "-99",
                "-1.01",
                "-1",
                "-0.1",
                "-1e-99",
                "-1e-100",
                "-1e-101",
                "-1e-1000000",
                "0",
                "1e-1000000",
                "1e-101",
                "1e-100",
                "1e-99",
                "0.1",
                "0.11",
                "1",
                "1.000000001",
                "1.01",
                "9.9",
                "10",
                "10.1",
                "99",
                "100",
                "9007199254740992",
                "9007199254740993",
                "18446744073709551616",
                "1e99",
                "1e100",
                "1e101",
                "9.9e999999")) {
            ascending.add(number(number));
        }
        for (String text : List.of(
                "",
                "\0",
                "\0\0",
                "\0a",
                "\1",
                "a",
                "a\0",
                "a\0a",
                "aa",
                "b",
                "\u007F",
                "\u0080",
                "\uD7FF",
                "\uE000",
                "\uFFFF",
                "\uD800\uDC00",
                "\uDBFF\uDFFF")) {
            ascending.add(text(text));
        }
        for (int i = 0; i < ascending.size(); i++) {
            for (int j = 0; j < ascending.size(); j++) {
                assertThat(order(encode(ascending.get(i), Order.ASC), encode(ascending.get(j), Order.ASC)))
                        .as("%s and %s", ascending.get(i), ascending.get(j))
                        .isEqualTo(Integer.compare(i, j));
            }
        }
    }

    private static int order(KeyBytes a, KeyBytes b) {
        return Integer.signum(a.compareTo(b));
    }

    private static FieldValue text(String text) {
        return new FieldValue.Text(text);
    }

    private static FieldValue number(String text) {
        return new FieldValue.Num(new BigDecimal(text));
    }
}
