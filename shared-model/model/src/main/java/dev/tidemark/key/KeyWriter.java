package dev.tidemark.key;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import dev.tidemark.row.FieldValue;

/**
 * Appends values to a key.
 *
 * <p>Format of a value: a type byte; nothing more for false, true and zero; for text its UTF-8 with 0x00 written as
 * 0x01 0x01 and 0x01 as 0x01 0x02, then 0x00; for another number its decimal exponent, its significant digits two to a
 * byte (each byte is the pair plus one), then 0x00, all inverted after the type byte when the number is negative. A
 * descending part is the ascending one with every bit inverted. No encoded value is a prefix of another, ascending or
 * descending. The bytes of the first parts are therefore a prefix of exactly those keys that have these parts.
 */
public final class KeyWriter {
    private static final int INITIAL_CAPACITY = 64;
    private static final int BITS = 0xFF;

    private byte[] buffer = new byte[INITIAL_CAPACITY];
    private int length;
    private int mask;

    public KeyWriter append(FieldValue value, Order order) {
        mask = order == Order.DESC ? BITS : 0;
        if (value instanceof FieldValue.Text text) {
            putText(text.value());
        } else if (value instanceof FieldValue.Num number) {
            putNumber(number.value());
        } else if (value instanceof FieldValue.Bool bool) {
            put(bool.value() ? TypeCode.TRUE : TypeCode.FALSE);
        } else {
            throw new AssertionError("unknown kind of value: " + value);
        }
        mask = 0;
        return this;
    }

    /** Appends bytes that are a key already. */
    public KeyWriter append(KeyBytes key) {
        for (byte b : key.array()) {
            put(b);
        }
        return this;
    }

    /**
     * Appends the start that all texts beginning with the given one share: the text without its end mark.
     *
     * @throws IllegalArgumentException when the prefix has an unpaired surrogate, which no text begins with
     */
    public KeyWriter appendTextPrefix(String prefix, Order order) {
        String text = new FieldValue.Text(prefix).value();
        mask = order == Order.DESC ? BITS : 0;
        put(TypeCode.TEXT);
        putEscaped(text);
        mask = 0;
        return this;
    }

    public int length() {
        return length;
    }

    public KeyBytes toKey() {
        return KeyBytes.wrap(Arrays.copyOf(buffer, length));
    }

    private void putText(String text) {
        put(TypeCode.TEXT);
        putEscaped(text);
        put(Escape.END);
    }

    private void putEscaped(String text) {
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b == Escape.END || b == Escape.MARK) {
                put(Escape.MARK);
                put(b + Escape.SHIFT);
            } else {
                put(b);
            }
        }
    }

    private void putNumber(BigDecimal number) {
        if (number.signum() == 0) {
            put(TypeCode.ZERO);
            return;
        }
        boolean negative = number.signum() < 0;
        put(negative ? TypeCode.NEGATIVE : TypeCode.POSITIVE);
        int direction = mask;
        mask = negative ? direction ^ BITS : direction;
        putExponent(number.precision() - number.scale());
        putDigits(number.unscaledValue().abs().toString());
        mask = direction;
    }

    private void putExponent(int exponent) {
        if (Math.abs(exponent) <= Exponent.SHORT_LIMIT) {
            put(Exponent.SHORT_ZERO + exponent);
            return;
        }
        put(exponent > 0 ? Exponent.LONG_POSITIVE : Exponent.LONG_NEGATIVE);
        int ordered = exponent ^ Integer.MIN_VALUE;
        for (int shift = 24; shift >= 0; shift -= 8) {
            put(ordered >>> shift);
        }
    }

    private void putDigits(String digits) {
        for (int i = 0; i < digits.length(); i += 2) {
            int tens = digits.charAt(i) - '0';
            int ones = i + 1 < digits.length() ? digits.charAt(i + 1) - '0' : 0;
            put(tens * 10 + ones + 1);
        }
        put(0);
    }

    private void put(int b) {
        if (length == buffer.length) {
            buffer = Arrays.copyOf(buffer, length * 2);
        }
        buffer[length++] = (byte) (b ^ mask);
    }
}
