package dev.tidemark.worker.query;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldValue;

import static org.assertj.core.api.Assertions.assertThat;

/** Every bound over every pair of awkward values, compared with comparing the values themselves. */
class KeyBoundsTest {
    private static final List<FieldValue> VALUES = List.of(
            new FieldValue.Bool(false),
            new FieldValue.Bool(true),
            FieldValue.Num.of(Long.MIN_VALUE),
            FieldValue.Num.of(-1),
            FieldValue.Num.of(0),
            FieldValue.Num.of(1),
            FieldValue.Num.of(10),
            FieldValue.Num.of(100),
            new FieldValue.Text(""),
            new FieldValue.Text("\0"),
            new FieldValue.Text("\0\0"),
            new FieldValue.Text("a"),
            new FieldValue.Text("a\0"),
            new FieldValue.Text("a\0b"),
            new FieldValue.Text("a\1"),
            new FieldValue.Text("aa"),
            new FieldValue.Text("ab"),
            new FieldValue.Text("\uD83D\uDE00"),
            new FieldValue.Text("\uFFFF"));

    @ParameterizedTest
    @EnumSource(Order.class)
    void boundsHoldExactlyTheValuesTheyName(Order order) {
        for (FieldValue bound : VALUES) {
            KeyBounds all = KeyBounds.all();
            check(all.equalTo(bound, order), order, value -> value.equals(bound));
            check(all.above(bound, true, order), order, value -> value.compareTo(bound) >= 0);
            check(all.above(bound, false, order), order, value -> value.compareTo(bound) > 0);
            check(all.below(bound, true, order), order, value -> value.compareTo(bound) <= 0);
            check(all.below(bound, false, order), order, value -> value.compareTo(bound) < 0);
        }
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void twoBoundsHoldWhatBothHold(Order order) {
        for (FieldValue low : VALUES) {
            for (FieldValue high : VALUES) {
                KeyBounds bounds = KeyBounds.all().above(low, false, order).below(high, true, order);
                check(bounds, order, value -> value.compareTo(low) > 0 && value.compareTo(high) <= 0);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void aPrefixHoldsTheTextsThatBeginWithIt(Order order) {
        for (String prefix : List.of("", "a", "a\0", "\0", "\uD83D\uDE00", "zz")) {
            check(
                    KeyBounds.all().startingWith(prefix, order),
                    order,
                    value -> value instanceof FieldValue.Text text
                            && text.value().startsWith(prefix));
        }
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void aRangeOnTheSecondPartStaysWithinTheFirst(Order order) {
        for (FieldValue town : VALUES) {
            FieldValue bound = FieldValue.Num.of(1);
            KeyBounds bounds = KeyBounds.all().equalTo(town, Order.DESC).above(bound, true, order);
            List<String> expected = new ArrayList<>();
            List<String> found = new ArrayList<>();
            for (FieldValue first : VALUES) {
                for (FieldValue second : VALUES) {
                    KeyBytes key = new KeyWriter()
                            .append(first, Order.DESC)
                            .append(second, order)
                            .append(FieldValue.Num.of(7), Order.ASC)
                            .toKey();
                    if (first.equals(town) && second.compareTo(bound) >= 0) {
                        expected.add(key.toString());
                    }
                    if (bounds.block().contains(key)) {
                        found.add(key.toString());
                    }
                }
            }
            assertThat(found).as("town %s", town).isEqualTo(expected);
        }
    }

    private static void check(KeyBounds bounds, Order order, Predicate<FieldValue> expected) {
        for (FieldValue value : VALUES) {
            for (FieldValue primaryKey : VALUES) {
                KeyBytes key = new KeyWriter()
                        .append(value, order)
                        .append(primaryKey, Order.ASC)
                        .toKey();
                assertThat(bounds.block().contains(key))
                        .as("value %s with primary key %s in %s", value, primaryKey, bounds.block())
                        .isEqualTo(expected.test(value));
            }
        }
    }
}
