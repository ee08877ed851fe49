package dev.tidemark.writer.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.CRC32C;

import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.key.KeyBytes;

/**
 * The last key that a scan returned; the scan continues after it. As text: URL-safe Base64 of a format byte, the table,
 * the key, and a checksum that detects a damaged or made-up cursor.
 */
final class ScanCursor {
    private static final byte FORMAT = 1;
    private static final int MAX_LENGTH = 4_096;

    private ScanCursor() {}

    static String write(String table, KeyBytes lastKey) {
        byte[] name = table.getBytes(StandardCharsets.UTF_8);
        int length = 2 + name.length + lastKey.length();
        ByteBuffer out = ByteBuffer.allocate(length + Integer.BYTES)
                .put(FORMAT)
                .put((byte) name.length)
                .put(name)
                .put(lastKey.array());
        out.putInt(checksum(out.array(), length));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(out.array());
    }

    /** The key to go on after; 400 when no scan of the table gave this text. */
    static KeyBytes read(String table, String text) {
        try {
            if (text.length() <= MAX_LENGTH) {
                byte[] raw = Base64.getUrlDecoder().decode(text);
                int length = raw.length - Integer.BYTES;
                ByteBuffer in = ByteBuffer.wrap(raw);
                if (in.getInt(length) == checksum(raw, length) && in.get() == FORMAT) {
                    byte[] name = new byte[in.get()];
                    in.get(name);
                    byte[] key = new byte[length - in.position()];
                    in.get(key);
                    if (new String(name, StandardCharsets.UTF_8).equals(table)) {
                        return KeyBytes.wrap(key);
                    }
                }
            }
        } catch (RuntimeException e) {
            throw bad(table);
        }
        throw bad(table);
    }

    private static ProblemException bad(String table) {
        return new ProblemException(Problem.badRequest("expected a cursor that a scan of table " + table
                + " answered as next, but this one is damaged, of another table, or made up"));
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
