package dev.tidemark.key;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.quicktheories.core.Gen;
import org.quicktheories.generators.Generate;

import dev.tidemark.row.FieldValue;

import static dev.tidemark.key.Values.encode;
import static dev.tidemark.key.Values.orders;
import static dev.tidemark.key.Values.property;
import static dev.tidemark.key.Values.reference;
import static dev.tidemark.key.Values.texts;
import static dev.tidemark.key.Values.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quicktheories.generators.SourceDSL.lists;

class KeyRangeTest {

    @Test
    void theRangeOfAPrefixHoldsExactlyWhatBeginsWithIt() {
        Gen<KeyBytes> keys = lists().of(Generate.pick(List.of(0x00, 0x01, 0xFE, 0xFF)))
                .ofSizeBetween(0, 4)
                .map(KeyRangeTest::key);
        property().forAll(keys, keys).checkAssert((prefix, key) -> {
            assertThat(KeyRange.ofPrefix(prefix).contains(key)).isEqualTo(key.startsWith(prefix));
            assertThat(KeyRange.ofPrefix(prefix).isEmpty()).isFalse();
        });
    }

    @Test
    void theRangeOfATextPrefixHoldsExactlyTheTextsThatBeginWithIt() {
        property().forAll(texts(), values(), values(), orders(2)).checkAssert((prefix, value, next, orders) -> {
            KeyBytes start =
                    new KeyWriter().appendTextPrefix(prefix, orders.get(0)).toKey();
            KeyBytes key = encode(List.of(value, next), orders);
            boolean begins =
                    value instanceof FieldValue.Text text && text.value().startsWith(prefix);
            assertThat(KeyRange.ofPrefix(start).contains(key)).isEqualTo(begins);
        });
        property().forAll(texts(), texts(), orders(1)).checkAssert((prefix, rest, orders) -> {
            KeyBytes start =
                    new KeyWriter().appendTextPrefix(prefix, orders.get(0)).toKey();
            KeyBytes key = encode(new FieldValue.Text(prefix + rest), orders.get(0));
            assertThat(KeyRange.ofPrefix(start).contains(key)).isTrue();
        });
    }

    @Test
    void theRangeOfLeadingPartsHoldsExactlyTheKeysThatHaveThem() {
        Gen<List<FieldValue>> keys = lists().of(Generate.oneOf(
                        Generate.pick(List.<FieldValue>of(
                                new FieldValue.Text(""),
                                new FieldValue.Text("\0"),
                                FieldValue.Num.of(1),
                                FieldValue.Num.of(10))),
                        values()))
                .ofSize(2);
        property().forAll(keys, keys, orders(2)).checkAssert((a, b, orders) -> {
            KeyRange range = KeyRange.ofPrefix(encode(a.get(0), orders.get(0)));
            assertThat(range.contains(encode(b, orders))).isEqualTo(a.get(0).equals(b.get(0)));
        });
    }

    @Test
    void theSuccessorOfAPartParts() {
        property().forAll(values(), values(), values(), orders(2)).checkAssert((bound, value, next, orders) -> {
            KeyBytes successor = KeyRange.successor(encode(bound, orders.get(0)));
            int place = reference().compare(value, bound);
            boolean beyond = orders.get(0) == Order.ASC ? place > 0 : place < 0;
            KeyBytes key = encode(List.of(value, next), orders);
            assertThat(successor == null || key.compareTo(successor) < 0).isEqualTo(!beyond);
        });
    }

    @Test
    void refusesAPrefixThatIsNoText() {
        assertThatThrownBy(() -> new KeyWriter().appendTextPrefix("a\uD800", Order.ASC))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void knowsWhenItIsEmpty() {
        assertThat(new KeyRange(key(List.of(2)), key(List.of(2))).isEmpty()).isTrue();
        assertThat(new KeyRange(key(List.of(2)), key(List.of(1))).isEmpty()).isTrue();
        assertThat(new KeyRange(key(List.of(2)), key(List.of(2, 0))).isEmpty()).isFalse();
        assertThat(KeyRange.ALL.isEmpty()).isFalse();
        assertThat(KeyRange.ALL.contains(KeyBytes.EMPTY)).isTrue();
    }

    private static KeyBytes key(List<Integer> bytes) {
        byte[] key = new byte[bytes.size()];
        for (int i = 0; i < key.length; i++) {
            key[i] = bytes.get(i).byteValue();
        }
        return KeyBytes.wrap(key);
    }
}
