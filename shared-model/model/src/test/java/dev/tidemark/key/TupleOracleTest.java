package dev.tidemark.key;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;

import com.apple.foundationdb.tuple.Tuple;
import org.junit.jupiter.api.Test;
import org.quicktheories.core.Gen;
import org.quicktheories.generators.Generate;

import dev.tidemark.row.FieldValue;

import static dev.tidemark.key.Values.property;
import static dev.tidemark.key.Values.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.lists;
import static org.quicktheories.generators.SourceDSL.longs;

/** FoundationDB's tuples order texts, integers and booleans, and lists of them, as keys do here. */
class TupleOracleTest {
    private static final Gen<Object> INTEGERS = Generate.oneOf(
                    longs().all().map(BigInteger::valueOf),
                    longs().between(-70_000, 70_000).map(BigInteger::valueOf),
                    integers().between(60, 300).map(shift -> BigInteger.ONE.shiftLeft(shift)),
                    integers()
                            .between(60, 300)
                            .map(shift -> BigInteger.ONE.shiftLeft(shift).negate()))
            .map(integer -> (Object) integer);

    @Test
    void textsAreTheSameBytesAfterTheTypeButForTheEscapes() {
        property().forAll(texts()).checkAssert(generated -> {
            String text = generated.replace("\0", "").replace("\1", "");
            byte[] theirs = Tuple.from(text).pack();
            byte[] ours = encode(List.of(text)).array();
            assertThat(Arrays.copyOfRange(ours, 1, ours.length))
                    .isEqualTo(Arrays.copyOfRange(theirs, 1, theirs.length));
        });
    }

    @Test
    void integersHaveTheSameOrder() {
        property().forAll(INTEGERS, INTEGERS).checkAssert((a, b) -> assertSameOrder(List.of(a), List.of(b)));
    }

    @Test
    void booleansHaveTheSameOrder() {
        assertSameOrder(List.of(false), List.of(true));
        assertSameOrder(List.of(true), List.of(true));
    }

    @Test
    void listsOfTextsHaveTheSameOrder() {
        Gen<List<Object>> keys = lists().of(texts().map(text -> (Object) text)).ofSize(3);
        property().forAll(keys, keys).checkAssert(TupleOracleTest::assertSameOrder);
    }

    @Test
    void listsOfTextsAndIntegersHaveTheSameOrder() {
        Gen<List<Object>> keys = texts().zip(INTEGERS, texts(), (a, b, c) -> List.of(a, b, c));
        property().forAll(keys, keys).checkAssert(TupleOracleTest::assertSameOrder);
    }

    private static void assertSameOrder(List<Object> a, List<Object> b) {
        int theirs = Arrays.compareUnsigned(
                Tuple.fromList(a).pack(), Tuple.fromList(b).pack());
        assertThat(Integer.signum(encode(a).compareTo(encode(b)))).isEqualTo(Integer.signum(theirs));
    }

    private static KeyBytes encode(List<?> values) {
        KeyWriter writer = new KeyWriter();
        values.forEach(value -> writer.append(value(value), Order.ASC));
        return writer.toKey();
    }

    private static FieldValue value(Object value) {
        if (value instanceof String text) {
            return new FieldValue.Text(text);
        }
        return value instanceof Boolean bool
                ? new FieldValue.Bool(bool)
                : new FieldValue.Num(new BigDecimal((BigInteger) value));
    }
}
