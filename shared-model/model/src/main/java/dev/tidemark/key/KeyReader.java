package dev.tidemark.key;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.tidemark.row.FieldValue;

/** Reads the values of a key, in the order in which {@link KeyWriter} appended them. Accepts only what it writes. */
public final class KeyReader {
    private static final int BITS = 0xFF;

    private static final int ASCII_END = 0x80;

    /** A number with at most this many digits fits in a long. */
    private static final int LONG_DIGITS = 18;

    private final byte[] bytes;
    private int position;
    private int mask;

    public KeyReader(KeyBytes key) {
        this.bytes = key.array();
    }

    /**
     * All values of a key whose parts are ascending.
     *
     * @throws MalformedKeyException when the bytes are not a whole number of values
     */
    public static List<FieldValue> readAll(KeyBytes key) throws MalformedKeyException {
        KeyReader reader = new KeyReader(key);
        List<FieldValue> values = new ArrayList<>();
        while (reader.hasNext()) {
            values.add(reader.next(Order.ASC));
        }
        return values;
    }

    public boolean hasNext() {
        return position < bytes.length;
    }

    /** How many bytes have been read. */
    public int position() {
        return position;
    }

    /** What has not been read yet. */
    public KeyBytes rest() {
        return KeyBytes.wrap(Arrays.copyOfRange(bytes, position, bytes.length));
    }

    /**
     * The next value.
     *
     * @throws MalformedKeyException when no value that a writer could have written stands here
     */
    public FieldValue next(Order order) throws MalformedKeyException {
        mask = order == Order.DESC ? BITS : 0;
        int type = take();
        return switch (type) {
            case TypeCode.FALSE -> new FieldValue.Bool(false);
            case TypeCode.TRUE -> new FieldValue.Bool(true);
            case TypeCode.ZERO -> FieldValue.Num.of(0);
            case TypeCode.NEGATIVE -> number(true);
            case TypeCode.POSITIVE -> number(false);
            case TypeCode.TEXT -> text();
            default -> throw malformed("a type byte, found 0x" + Integer.toHexString(type));
        };
    }

    /**
     * Passes the next value without making it. Whether a text is valid Unicode is not looked at.
     *
     * @throws MalformedKeyException when no value stands here
     */
    public void skip(Order order) throws MalformedKeyException {
        mask = order == Order.DESC ? BITS : 0;
        if (take() != TypeCode.TEXT) {
            position--;
            next(order);
            return;
        }
        for (int b = take(); b != Escape.END; b = take()) {
            if (b == Escape.MARK) {
                escaped();
            }
        }
    }

    private FieldValue number(boolean negative) throws MalformedKeyException {
        mask ^= negative ? BITS : 0;
        int exponent = exponent();
        StringBuilder digits = new StringBuilder(LONG_DIGITS);
        for (int pair = take(); pair != 0; pair = take()) {
            if (pair > 100) {
                throw malformed("a pair of digits");
            }
            digits.append((char) ('0' + (pair - 1) / 10)).append((char) ('0' + (pair - 1) % 10));
        }
        int length = digits.length();
        if (length == 0
                || digits.charAt(0) == '0'
                || (digits.charAt(length - 1) == '0' && digits.charAt(length - 2) == '0')) {
            throw malformed("significant digits");
        }
        if (length <= LONG_DIGITS) {
            long unscaled = Long.parseLong(digits, 0, length, 10);
            return new FieldValue.Num(BigDecimal.valueOf(negative ? -unscaled : unscaled, length - exponent));
        }
        BigInteger unscaled = new BigInteger(negative ? "-" + digits : digits.toString());
        return new FieldValue.Num(new BigDecimal(unscaled, digits.length() - exponent));
    }

    private int exponent() throws MalformedKeyException {
        int first = take();
        if (first != Exponent.LONG_POSITIVE && first != Exponent.LONG_NEGATIVE) {
            int exponent = first - Exponent.SHORT_ZERO;
            if (Math.abs(exponent) > Exponent.SHORT_LIMIT) {
                throw malformed("an exponent");
            }
            return exponent;
        }
        int ordered = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            ordered = ordered << 8 | take();
        }
        int exponent = ordered ^ Integer.MIN_VALUE;
        boolean canonical = first == Exponent.LONG_POSITIVE
                ? exponent > Exponent.SHORT_LIMIT && exponent <= FieldValue.Num.MAX_EXPONENT
                : exponent < -Exponent.SHORT_LIMIT && exponent >= FieldValue.Num.MIN_EXPONENT;
        if (!canonical) {
            throw malformed("an exponent");
        }
        return exponent;
    }

    private FieldValue text() throws MalformedKeyException {
        byte[] raw = new byte[bytes.length - position];
        int length = 0;
        int all = 0;
        for (int b = take(); b != Escape.END; b = take()) {
            int one = b == Escape.MARK ? escaped() : b;
            all |= one;
            raw[length++] = (byte) one;
        }
        return all < ASCII_END
                ? new FieldValue.Text(new String(raw, 0, length, StandardCharsets.ISO_8859_1))
                : decoded(raw, length);
    }

    private int escaped() throws MalformedKeyException {
        int escaped = take() - Escape.SHIFT;
        if (escaped < 0 || escaped > Escape.MARK) {
            throw malformed("an escaped byte");
        }
        return escaped;
    }

    private FieldValue decoded(byte[] raw, int length) throws MalformedKeyException {
        try {
            return new FieldValue.Text(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(raw, 0, length))
                    .toString());
        } catch (CharacterCodingException e) {
            throw malformed("UTF-8");
        }
    }

    private int take() throws MalformedKeyException {
        if (position == bytes.length) {
            throw malformed("more bytes");
        }
        return (bytes[position++] ^ mask) & BITS;
    }

    private MalformedKeyException malformed(String expected) {
        return new MalformedKeyException(
                "Expected " + expected + " at byte " + position + " of a key of " + bytes.length + " bytes");
    }
}
