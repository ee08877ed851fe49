package dev.tidemark.writer.postgres;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.StoredRow;

/** Keys and values of the committer's cache: a row with the digests of its entries. */
final class CachedRow {
    private static final int HEAD = 3 * Long.BYTES + Short.BYTES;

    /** A generation and a digest. */
    private static final int DIGEST = 3 * Long.BYTES;

    private CachedRow() {}

    static byte[] key(FactTable table, KeyBytes key) {
        return ByteBuffer.allocate(Integer.BYTES + key.length())
                .putInt(table.id())
                .put(key.array())
                .array();
    }

    static byte[] value(ChangeEvent.Upserted row, Map<Long, Digest> digests) {
        byte[] json = row.row().bytes();
        ByteBuffer out = ByteBuffer.allocate(HEAD + digests.size() * DIGEST + json.length)
                .putLong(row.version().epoch())
                .putLong(row.version().sequence())
                .putLong(Rows.micros(row.committedAt()))
                .putShort((short) digests.size());
        digests.forEach((generation, digest) ->
                out.putLong(generation).putLong(digest.high()).putLong(digest.low()));
        return out.put(json).array();
    }

    static StoredRow row(byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value);
        RowVersion version = new RowVersion(in.getLong(), in.getLong());
        Instant time = Instant.EPOCH.plus(in.getLong(), ChronoUnit.MICROS);
        Map<Long, Digest> digests = new HashMap<>();
        for (int i = in.getShort(); i > 0; i--) {
            digests.put(in.getLong(), new Digest(in.getLong(), in.getLong()));
        }
        byte[] json = new byte[in.remaining()];
        in.get(json);
        return new StoredRow(version, time, RowDocument.stored(json), digests);
    }
}
