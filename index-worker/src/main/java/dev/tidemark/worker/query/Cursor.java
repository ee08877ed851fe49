package dev.tidemark.worker.query;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.CRC32C;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.DefinitionText;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;

/**
 * Encodes where a page ended, as text that a client sends back. The cursor holds the key of the last entry, so later
 * writes do not invalidate it. A checksum over that key and the query ties it to that query.
 */
final class Cursor {
    private static final byte FORMAT = 1;
    private static final int MAX_TEXT_LENGTH = 16_384;

    private Cursor() {}

    static String write(IndexNames.Found index, KeyRange range, Order order, KeyBytes last) {
        ByteBuffer out = ByteBuffer.allocate(1 + last.length() + Integer.BYTES);
        out.put(FORMAT).put(last.array()).putInt(checksum(index, range, order, last));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(out.array());
    }

    /**
     * The key of the last entry answered.
     *
     * @throws BadQueryException when no answer to this question can have given the text
     */
    static KeyBytes read(IndexNames.Found index, KeyRange range, Order order, String text) throws BadQueryException {
        KeyBytes last = text.length() > MAX_TEXT_LENGTH ? null : decoded(index, range, order, text);
        if (last == null || !range.contains(last)) {
            throw new BadQueryException(
                    "expected a cursor from the answer to this very question, but this one is damaged,"
                            + " made up, or belongs to another index, range or order");
        }
        return last;
    }

    private static @Nullable KeyBytes decoded(IndexNames.Found index, KeyRange range, Order order, String text) {
        try {
            ByteBuffer in = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            if (in.remaining() < 1 + Integer.BYTES || in.get() != FORMAT) {
                return null;
            }
            byte[] key = new byte[in.remaining() - Integer.BYTES];
            in.get(key);
            KeyBytes last = KeyBytes.wrap(key);
            return in.getInt() == checksum(index, range, order, last) ? last : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static int checksum(IndexNames.Found index, KeyRange range, Order order, KeyBytes last) {
        CRC32C crc = new CRC32C();
        String name = index.definition().qualifiedName();
        add(crc, name.getBytes(StandardCharsets.UTF_8));
        add(crc, DefinitionText.of(index.definition()).getBytes(StandardCharsets.UTF_8));
        add(crc, range.fromInclusive().array());
        KeyBytes end = range.toExclusive();
        crc.update(end == null ? 0 : 1);
        add(crc, end == null ? new byte[0] : end.array());
        crc.update(order == Order.ASC ? 0 : 1);
        add(crc, last.array());
        return (int) crc.getValue();
    }

    private static void add(CRC32C crc, byte[] bytes) {
        crc.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
        crc.update(bytes);
    }
}
