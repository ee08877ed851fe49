package dev.tidemark.key;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import org.quicktheories.QuickTheory;
import org.quicktheories.core.Gen;
import org.quicktheories.generators.Generate;

import dev.tidemark.row.FieldValue;

import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.lists;
import static org.quicktheories.generators.SourceDSL.longs;

/**
 * Generated values, chosen so that many of them lie close together, and their order by another way than production's.
 */
final class Values {
    private static final int EXAMPLES = 3_000;
    private static final List<Integer> CODE_POINTS = List.of(
            0, 1, 0x61, 0x62, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF);

    private Values() {}

    /** A property over many examples; QuickTheories prints the seed of a failing one. */
    static QuickTheory property() {
        return qt().withExamples(EXAMPLES);
    }

    static Gen<String> texts() {
        return lists().of(Generate.pick(CODE_POINTS)).ofSizeBetween(0, 6).map(Values::text);
    }

    static Gen<BigDecimal> numbers() {
        Gen<BigDecimal> close = integers().between(-120, 120).zip(integers().between(-3, 3), BigDecimal::valueOf);
        Gen<BigDecimal> wide = longs().all().zip(integers().between(-300, 300), BigDecimal::valueOf);
        Gen<BigDecimal> beyondDoubles = longs().between(-4, 4).map(delta -> BigDecimal.valueOf((1L << 53) + delta));
        Gen<BigDecimal> long64 = longs().between(-4, 4)
                .map(delta -> new BigDecimal(BigInteger.ONE.shiftLeft(64).add(BigInteger.valueOf(delta))));
        Gen<BigDecimal> extreme = integers()
                .between(-11, 11)
                .zip(Generate.pick(List.of(-999_990, -200, -100, -99, 99, 100, 101, 999_990)), BigDecimal::valueOf);
        return Generate.oneOf(close, wide, beyondDoubles, Generate.oneOf(long64, extreme));
    }

    static Gen<FieldValue> values() {
        Gen<FieldValue> bools = Generate.booleans().map(FieldValue.Bool::new);
        Gen<FieldValue> nums = numbers().map(FieldValue.Num::new);
        Gen<FieldValue> words = texts().map(FieldValue.Text::new);
        return Generate.oneOf(nums, words, bools);
    }

    static Gen<List<Order>> orders(int parts) {
        return lists().of(Generate.enumValues(Order.class)).ofSize(parts);
    }

    static KeyBytes encode(List<FieldValue> values, List<Order> orders) {
        KeyWriter writer = new KeyWriter();
        for (int i = 0; i < values.size(); i++) {
            writer.append(values.get(i), orders.get(i));
        }
        return writer.toKey();
    }

    static KeyBytes encode(FieldValue value, Order order) {
        return encode(List.of(value), List.of(order));
    }

    /** The order of values, said again without production code. */
    static Comparator<FieldValue> reference() {
        return Comparator.comparing(Values::typePlace).thenComparing((a, b) -> {
            if (a instanceof FieldValue.Num x && b instanceof FieldValue.Num y) {
                return x.value().compareTo(y.value());
            }
            if (a instanceof FieldValue.Text x && b instanceof FieldValue.Text y) {
                return Arrays.compare(
                        x.value().codePoints().toArray(), y.value().codePoints().toArray());
            }
            return 0;
        });
    }

    private static int typePlace(FieldValue value) {
        if (value instanceof FieldValue.Bool bool) {
            return bool.value() ? 1 : 0;
        }
        return value instanceof FieldValue.Num ? 2 : 3;
    }

    private static String text(List<Integer> codePoints) {
        StringBuilder text = new StringBuilder();
        codePoints.forEach(text::appendCodePoint);
        return text.toString();
    }
}
