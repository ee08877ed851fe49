package dev.tidemark.row;

import java.nio.ByteBuffer;
import java.util.Arrays;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;

/**
 * Compact UTF-8 JSON put together piece by piece, without a tree. Who calls sees to it that the pieces make JSON. What
 * comes out is, byte for byte, what {@link RowJson#write} makes of the same values.
 */
public final class JsonBytes {
    private static final int FIRST_BYTES = 8 * 1024;

    private byte[] bytes;
    private int length;

    /** No JSON yet. */
    public JsonBytes() {
        this(FIRST_BYTES);
    }

    /**
     * No JSON yet.
     *
     * @param expected about how many bytes it will be; with more, it grows
     */
    public JsonBytes(int expected) {
        bytes = new byte[expected];
    }

    /** Brackets, commas, names and the like, as they are; ASCII only. */
    public JsonBytes raw(String ascii) {
        room(ascii.length());
        for (int i = 0; i < ascii.length(); i++) {
            bytes[length++] = (byte) ascii.charAt(i);
        }
        return this;
    }

    /** JSON that is there already. */
    public JsonBytes raw(byte[] json) {
        room(json.length);
        System.arraycopy(json, 0, bytes, length, json.length);
        length += json.length;
        return this;
    }

    /** A text, in quotes. */
    public JsonBytes text(String text) {
        room(text.length() + 2);
        int start = length;
        bytes[length++] = '"';
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                length = start;
                return raw(RowJson.write(TextNode.valueOf(text)));
            }
            bytes[length++] = (byte) c;
        }
        bytes[length++] = '"';
        return this;
    }

    /** A whole number. */
    public JsonBytes number(long number) {
        return raw(Long.toString(number));
    }

    /** A version as its text, in quotes. */
    public JsonBytes version(RowVersion version) {
        room(RowVersion.TEXT_DIGITS + 2);
        bytes[length] = '"';
        digits(version.epoch(), length + 1, RowVersion.TEXT_DIGITS - RowVersion.SEQUENCE_DIGITS);
        digits(
                version.sequence(),
                length + 1 + RowVersion.TEXT_DIGITS - RowVersion.SEQUENCE_DIGITS,
                RowVersion.SEQUENCE_DIGITS);
        length += RowVersion.TEXT_DIGITS + 2;
        bytes[length - 1] = '"';
        return this;
    }

    private void digits(long number, int from, int count) {
        long left = number;
        for (int at = from + count - 1; at >= from; at--) {
            bytes[at] = (byte) ('0' + left % 10);
            left /= 10;
        }
    }

    /** A value of a key. */
    public JsonBytes value(FieldValue value) {
        if (value instanceof FieldValue.Text text) {
            return text(text.value());
        }
        if (value instanceof FieldValue.Num num && num.value().scale() == 0) {
            return raw(num.value().toString());
        }
        return raw(RowJson.write(value.toJson()));
    }

    /** Any other value. */
    public JsonBytes node(JsonNode node) {
        return raw(RowJson.write(node));
    }

    /** All of it. */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    /** All of it, not copied: more must not be added. */
    public ByteBuffer toBuffer() {
        return ByteBuffer.wrap(bytes, 0, length);
    }

    private void room(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length + bytes.length / 2, length + more));
        }
    }
}
