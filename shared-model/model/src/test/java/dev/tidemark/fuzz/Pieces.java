package dev.tidemark.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes cut into parts, from the front; what is no longer there is empty or zero. */
public final class Pieces {
    private final byte[] bytes;
    private int position;

    public Pieces(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The next byte, from 0 to 255. */
    public int octet() {
        return position < bytes.length ? bytes[position++] & 0xFF : 0;
    }

    /** As many bytes as the next one says. */
    public byte[] shortPart() {
        int end = Math.min(bytes.length, position + 1 + octet());
        byte[] part = Arrays.copyOfRange(bytes, Math.min(position, end), end);
        position = end;
        return part;
    }

    /** Up to the end of the line, as ISO 8859-1, so that every byte is a character. */
    public String line() {
        int end = position;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
        }
        String line = new String(bytes, position, end - position, StandardCharsets.ISO_8859_1);
        position = Math.min(bytes.length, end + 1);
        return line;
    }

    /** All that has not been taken. */
    public byte[] rest() {
        byte[] rest = Arrays.copyOfRange(bytes, position, bytes.length);
        position = bytes.length;
        return rest;
    }
}
