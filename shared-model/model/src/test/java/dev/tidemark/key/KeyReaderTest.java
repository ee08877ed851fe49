package dev.tidemark.key;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quicktheories.core.Gen;

import dev.tidemark.row.FieldValue;

import static dev.tidemark.key.Values.encode;
import static dev.tidemark.key.Values.orders;
import static dev.tidemark.key.Values.property;
import static dev.tidemark.key.Values.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.lists;

class KeyReaderTest {
    private static final Gen<List<FieldValue>> KEYS = lists().of(values()).ofSizeBetween(1, 3);

    @Test
    void readsExactlyWhatWasWritten() {
        property().forAll(KEYS, orders(3)).checkAssert((values, orders) -> {
            KeyBytes key = encode(values, orders);
            assertThat(read(key, orders)).contains(values);
        });
    }

    @Test
    void skippingPassesWhatReadingPasses() {
        property().forAll(KEYS, orders(3)).checkAssert((values, orders) -> {
            KeyBytes key = encode(values, orders);
            KeyReader reading = new KeyReader(key);
            KeyReader skipping = new KeyReader(key);
            for (int i = 0; i < values.size(); i++) {
                assertThat(passed(skipping, orders.get(i), true)).isEqualTo(passed(reading, orders.get(i), false));
            }
        });
    }

    private static int passed(KeyReader reader, Order order, boolean skip) {
        try {
            if (skip) {
                reader.skip(order);
            } else {
                reader.next(order);
            }
            return reader.position();
        } catch (MalformedKeyException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void readsADamagedKeyOnlyWhereAWriterCouldHaveWrittenIt() {
        property()
                .withExamples(20_000)
                .forAll(
                        KEYS,
                        orders(3),
                        integers().between(0, 10_000),
                        integers().between(1, 255))
                .checkAssert((values, orders, position, flip) -> {
                    byte[] bytes = encode(values, orders).array();
                    bytes[position % bytes.length] ^= flip.byteValue();
                    assertWrittenOrRefused(KeyBytes.wrap(bytes), orders);
                });
    }

    @Test
    void readsMadeUpBytesOnlyWhereAWriterCouldHaveWrittenThem() {
        Gen<List<Integer>> bytes = lists().of(integers().between(0, 255)).ofSizeBetween(1, 8);
        Gen<Integer> types = integers().between(0x10, 0x30);
        property().withExamples(20_000).forAll(types, bytes, orders(3)).checkAssert((type, tail, orders) -> {
            byte[] key = new byte[tail.size() + 1];
            key[0] = (byte) (orders.get(0) == Order.DESC ? ~type : type);
            for (int i = 0; i < tail.size(); i++) {
                key[i + 1] = tail.get(i).byteValue();
            }
            assertWrittenOrRefused(KeyBytes.wrap(key), orders);
        });
    }

    @Test
    void readsACutKeyOnlyWhereAWriterCouldHaveWrittenIt() {
        property().forAll(values(), orders(1)).checkAssert((value, orders) -> {
            byte[] whole = encode(List.of(value), orders).array();
            for (int length = 1; length < whole.length; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                // A text that holds zeros can be cut behind one of them and is a shorter text then.
                assertWrittenOrRefused(KeyBytes.wrap(cut), orders);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00",
                "0f",
                "12",
                "23",
                "31",
                "ff", // no such type
                "22",
                "2281",
                "22810b", // ends early
                "228100", // no digits
                "22810200", // leading zero
                "22810b0100", // trailing pair of zeros
                "22816600", // not a pair
                "221b0b00", // exponent outside the short form
                "22f0800000640b00", // short exponent in the long form
                "22017fffff9c0b00", // the same below zero
                "22f0800f42410b00", // exponent too large
                "22017ff0bdc00b00", // exponent too small
                "01",
                "017fffff000b00", // exponent of no number
                "30",
                "3061",
                "3001",
                "30010000",
                "30010300", // no end, not an escape
                "30ff00",
                "30c08000",
                "30eda08000",
                "30f490808000" // not UTF-8
            })
    void refusesWhatNoWriterWrites(String hex) {
        KeyBytes key = KeyBytes.wrap(HexFormat.of().parseHex(hex));

        assertThatThrownBy(() -> KeyReader.readAll(key))
                .isInstanceOf(MalformedKeyException.class)
                .hasMessageStartingWith("Expected ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e99", "1e100", "1e-101", "1e-102", "9e999999", "1e-1000000"})
    void readsNumbersAtTheEndsOfTheShortAndTheLongForm(String number) throws Exception {
        for (String sign : List.of("", "-")) {
            FieldValue value = new FieldValue.Num(new BigDecimal(sign + number));
            assertThat(KeyReader.readAll(encode(value, Order.ASC))).containsExactly(value);
        }
    }

    @Test
    void tellsWhereItStands() throws Exception {
        KeyBytes key =
                encode(List.of(new FieldValue.Text("a"), new FieldValue.Bool(true)), List.of(Order.ASC, Order.ASC));
        KeyReader reader = new KeyReader(key);
        reader.next(Order.ASC);

        assertThat(reader.position()).isEqualTo(3);
        assertThat(reader.rest()).isEqualTo(encode(new FieldValue.Bool(true), Order.ASC));
        assertThat(reader.hasNext()).isTrue();
        reader.next(Order.ASC);
        assertThat(reader.hasNext()).isFalse();
        assertThatThrownBy(() -> reader.next(Order.ASC)).isInstanceOf(MalformedKeyException.class);
    }

    private static void assertWrittenOrRefused(KeyBytes key, List<Order> orders) {
        read(key, orders).ifPresent(values -> assertThat(encode(values, orders)).isEqualTo(key));
    }

    private static Optional<List<FieldValue>> read(KeyBytes key, List<Order> orders) {
        KeyReader reader = new KeyReader(key);
        List<FieldValue> values = new ArrayList<>();
        try {
            while (reader.hasNext() && values.size() < orders.size()) {
                values.add(reader.next(orders.get(values.size())));
            }
        } catch (MalformedKeyException e) {
            return Optional.empty();
        }
        return reader.hasNext() ? Optional.empty() : Optional.of(values);
    }
}
