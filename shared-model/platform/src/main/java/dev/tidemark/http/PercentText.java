package dev.tidemark.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Percent-encoded text, RFC 3986: strictly UTF-8, no broken escapes. */
final class PercentText {
    private PercentText() {}

    /**
     * What a text stands for.
     *
     * @param plusIsSpace as in the query of a form; elsewhere a plus sign is a plus sign
     * @throws CharacterCodingException when an escape is broken, or the bytes are not UTF-8
     */
    static String decoded(String text, boolean plusIsSpace) throws CharacterCodingException {
        if (text.indexOf('%') < 0) {
            return plusIsSpace ? text.replace('+', ' ') : text;
        }
        byte[] raw = text.getBytes(StandardCharsets.UTF_8);
        int length = 0;
        for (int i = 0; i < raw.length; i++) {
            byte next = raw[i];
            if (next == '%') {
                next = (byte) (16 * digit(raw, i + 1) + digit(raw, i + 2));
                i += 2;
            } else if (next == '+' && plusIsSpace) {
                next = ' ';
            }
            raw[length++] = next;
        }
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(raw, 0, length))
                .toString();
    }

    private static int digit(byte[] raw, int at) throws CharacterCodingException {
        int digit = at < raw.length ? Character.digit(raw[at], 16) : -1;
        if (digit < 0) {
            throw new CharacterCodingException();
        }
        return digit;
    }
}
