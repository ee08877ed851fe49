package dev.tidemark.row;

import java.math.BigDecimal;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.TextNode;

/**
 * A JSON value that can stand in a key. Total order: false, true, numbers by exact value (1 equals 1.0), then texts by
 * code point.
 */
public sealed interface FieldValue extends Comparable<FieldValue> {

    /** The value as JSON; a number in its shortest plain form where that stays short. */
    JsonNode toJson();

    /** Place of the value's type in the order of types. */
    int rank();

    /**
     * The value of a JSON node; empty for null and for a missing node.
     *
     * @throws UnindexableValueException for an object, an array, or text with an unpaired surrogate
     */
    static Optional<FieldValue> of(JsonNode node) throws UnindexableValueException {
        if (node.isNull() || node.isMissingNode()) {
            return Optional.empty();
        }
        try {
            if (node.isTextual()) {
                return Optional.of(new Text(node.textValue()));
            }
            if (node.isNumber()) {
                return Optional.of(new Num(node.decimalValue()));
            }
        } catch (IllegalArgumentException e) {
            throw new UnindexableValueException(String.valueOf(e.getMessage()));
        }
        if (node.isBoolean()) {
            return Optional.of(new Bool(node.booleanValue()));
        }
        throw new UnindexableValueException(
                "expected true, false, a number or a string, but got " + (node.isArray() ? "an array" : "an object"));
    }

    @Override
    default int compareTo(FieldValue other) {
        if (this instanceof Num a && other instanceof Num b) {
            return a.value().compareTo(b.value());
        }
        if (this instanceof Text a && other instanceof Text b) {
            return CodePoints.compare(a.value(), b.value());
        }
        return Integer.compare(rank(), other.rank());
    }

    /** True or false. */
    record Bool(boolean value) implements FieldValue {
        @Override
        public JsonNode toJson() {
            return BooleanNode.valueOf(value);
        }

        @Override
        public int rank() {
            return value ? 1 : 0;
        }
    }

    /**
     * A number of any precision.
     *
     * @param value without trailing zeros, so that equal numbers are equal records; zero, or within
     *     {@link #MIN_EXPONENT} and {@link #MAX_EXPONENT}
     */
    record Num(BigDecimal value) implements FieldValue {
        /** Place of the leading digit of the largest numbers: below 1e1000000. */
        public static final int MAX_EXPONENT = 1_000_000;

        /** Place of the leading digit of the smallest numbers: 1e-1000000. */
        public static final int MIN_EXPONENT = -999_999;

        private static final int PLAIN_DIGITS = 40;

        /** Digits of the exponent of a whole number that is as long as a number may be. */
        private static final int EXPONENT_DIGITS = 3;

        static final String OUTSIDE =
                "expected zero or a number from 1e" + (MIN_EXPONENT - 1) + " to below 1e" + MAX_EXPONENT;

        public Num {
            long exponent = (long) value.precision() - value.scale();
            if (value.signum() != 0 && (exponent < MIN_EXPONENT || exponent > MAX_EXPONENT)) {
                throw new IllegalArgumentException(OUTSIDE);
            }
            value = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
        }

        public static Num of(long value) {
            return new Num(BigDecimal.valueOf(value));
        }

        @Override
        public JsonNode toJson() {
            return DecimalNode.valueOf(value.scale() < 0 && isPlain() ? value.setScale(0) : value);
        }

        /** Whether a whole number is written without an exponent, with which some would be too long to be read. */
        private boolean isPlain() {
            boolean fits = value.precision() + EXPONENT_DIGITS <= RowJson.MAX_NUMBER_LENGTH;
            return value.precision() - value.scale() <= (fits ? PLAIN_DIGITS : RowJson.MAX_NUMBER_LENGTH);
        }

        @Override
        public int rank() {
            return 2;
        }
    }

    /**
     * Text.
     *
     * @param value valid Unicode: no unpaired surrogate
     */
    record Text(String value) implements FieldValue {
        public Text {
            if (!CodePoints.areValid(value)) {
                throw new IllegalArgumentException("expected valid Unicode, but got text with an unpaired surrogate");
            }
        }

        @Override
        public JsonNode toJson() {
            return TextNode.valueOf(value);
        }

        @Override
        public int rank() {
            return 3;
        }
    }
}
