package dev.tidemark.worker.query;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.row.RowVersion;

/**
 * Where a page ended, as text that a client sends back: the key of the last entry, so that later writes do not
 * invalidate it, and what the page held, so that the next one is not older. A checksum over that and the query ties it
 * to that query.
 *
 * @param last the key of the last entry answered
 * @param seen by partition, the version up to which the page was complete
 */
record Cursor(KeyBytes last, SortedMap<Integer, RowVersion> seen) {
    private static final byte FORMAT = 2;

    /** The format before had the key alone, and its checksum did not cover the number of the format. */
    private static final byte KEY_ALONE = 1;

    /** Long enough for what was seen of the most partitions beside the longest key; half of the longest URL. */
    private static final int MAX_TEXT_LENGTH = 24_576;

    private static final int SEEN_BYTES = 2 * Short.BYTES + Long.BYTES;

    Cursor {
        seen = Collections.unmodifiableSortedMap(new TreeMap<>(seen));
    }

    /** The text for a question. Where it would be too long, it does not say what the page held. */
    String write(IndexNames.Found index, KeyRange range, Order order) {
        byte[] content = content();
        ByteBuffer out = ByteBuffer.allocate(content.length + Integer.BYTES);
        out.put(content).putInt(checksum(index, range, order, content));
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(out.array());
        return text.length() > MAX_TEXT_LENGTH && !seen.isEmpty()
                ? new Cursor(last, new TreeMap<>()).write(index, range, order)
                : text;
    }

    /**
     * The cursor in a text.
     *
     * @throws BadQueryException when no answer to this question can have given the text
     */
    static Cursor read(IndexNames.Found index, KeyRange range, Order order, String text) throws BadQueryException {
        Cursor cursor = text.length() > MAX_TEXT_LENGTH ? null : decoded(index, range, order, text);
        if (cursor == null || !range.contains(cursor.last)) {
            throw new BadQueryException(
                    "expected a cursor from the answer to this very question, but this one is damaged,"
                            + " made up, or belongs to another index, range or order, or to the index before it was"
                            + " changed; begin without it");
        }
        return cursor;
    }

    private byte[] content() {
        ByteBuffer out = ByteBuffer.allocate(1 + Short.BYTES + SEEN_BYTES * seen.size() + last.length());
        out.put(FORMAT).putShort((short) seen.size());
        seen.forEach((partition, version) -> out.putShort(partition.shortValue())
                .putShort((short) version.epoch())
                .putLong(version.sequence()));
        return out.put(last.array()).array();
    }

    private static @Nullable Cursor decoded(IndexNames.Found index, KeyRange range, Order order, String text) {
        try {
            ByteBuffer in = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            int end = Math.max(1, in.limit() - Integer.BYTES);
            byte format = in.get(0);
            byte[] content = Arrays.copyOfRange(in.array(), format == KEY_ALONE ? 1 : 0, end);
            if (in.getInt(end) != checksum(index, range, order, content) || format > FORMAT) {
                return null;
            }
            in.position(1).limit(end);
            SortedMap<Integer, RowVersion> seen = new TreeMap<>();
            for (int left = format == KEY_ALONE ? 0 : in.getShort(); left > 0; left--) {
                seen.put((int) in.getShort(), new RowVersion(in.getShort(), in.getLong()));
            }
            byte[] key = new byte[in.remaining()];
            in.get(key);
            return new Cursor(KeyBytes.wrap(key), seen);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | BufferUnderflowException e) {
            return null;
        }
    }

    private static int checksum(IndexNames.Found index, KeyRange range, Order order, byte[] content) {
        CRC32C crc = new CRC32C();
        String name = index.definition().qualifiedName();
        add(crc, name.getBytes(StandardCharsets.UTF_8));
        add(crc, index.definitionText().getBytes(StandardCharsets.UTF_8));
        add(crc, range.fromInclusive().array());
        KeyBytes end = range.toExclusive();
        crc.update(end == null ? 0 : 1);
        add(crc, end == null ? new byte[0] : end.array());
        crc.update(order == Order.ASC ? 0 : 1);
        add(crc, content);
        return (int) crc.getValue();
    }

    private static void add(CRC32C crc, byte[] bytes) {
        crc.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
        crc.update(bytes);
    }
}
