package dev.tidemark.writer.rocks;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.StoredRow;

/** Keys and values of {@link WriterDatabase#facts}. */
final class RowFormat {
    private static final int HEAD = 3 * Long.BYTES;

    /** A generation and a digest. */
    private static final int DIGEST = 3 * Long.BYTES;

    private RowFormat() {}

    static KeyBytes prefix(StoredTable table) {
        return KeyBytes.wrap(
                ByteBuffer.allocate(Integer.BYTES).putInt(table.id()).array());
    }

    static byte[] key(StoredTable table, KeyBytes key) {
        return prefix(table).concat(key).array();
    }

    static KeyBytes primaryKey(byte[] key) {
        return KeyBytes.wrap(Arrays.copyOfRange(key, Integer.BYTES, key.length));
    }

    static byte[] value(ChangeEvent.Upserted event) {
        byte[] row = event.row().bytes();
        return ByteBuffer.allocate(HEAD + row.length)
                .putLong(event.version().epoch())
                .putLong(event.version().sequence())
                .putLong(Bytes.micros(event.committedAt()))
                .put(row)
                .array();
    }

    static StoredRow row(byte[] value) {
        return row(ByteBuffer.wrap(value), Map.of());
    }

    /** A value as the cache keeps it: with the digests of its row, so that they need not be derived again. */
    static byte[] cached(byte[] value, Map<Long, Digest> digests) {
        ByteBuffer out = ByteBuffer.allocate(Short.BYTES + digests.size() * DIGEST + value.length)
                .putShort((short) digests.size());
        digests.forEach((generation, digest) ->
                out.putLong(generation).putLong(digest.high()).putLong(digest.low()));
        return out.put(value).array();
    }

    /** Reads what {@link #cached} made. */
    static StoredRow cachedRow(byte[] cached) {
        ByteBuffer in = ByteBuffer.wrap(cached);
        Map<Long, Digest> digests = new HashMap<>();
        for (int i = in.getShort(); i > 0; i--) {
            digests.put(in.getLong(), new Digest(in.getLong(), in.getLong()));
        }
        return row(in, digests);
    }

    private static StoredRow row(ByteBuffer in, Map<Long, Digest> digests) {
        RowVersion version = new RowVersion(in.getLong(), in.getLong());
        return new StoredRow(version, Bytes.time(in.getLong()), RowDocument.stored(Bytes.rest(in)), digests);
    }
}
