package dev.tidemark.writer.commit;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.digest.Digest;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

/** Rows as bytes: version, time of commit in microseconds since 1970, and JSON. A cache also has their digests. */
public final class StoredRowCodec {
    private static final int HEAD = 3 * Long.BYTES;

    /** A generation and a digest. */
    private static final int DIGEST = 3 * Long.BYTES;

    private StoredRowCodec() {}

    /** A row as it is stored. */
    public static byte[] value(ChangeEvent.Upserted event) {
        byte[] row = event.row().bytes();
        return ByteBuffer.allocate(HEAD + row.length)
                .putLong(event.version().epoch())
                .putLong(event.version().sequence())
                .putLong(ChronoUnit.MICROS.between(Instant.EPOCH, event.committedAt()))
                .put(row)
                .array();
    }

    /** Reads what {@link #value} made. */
    public static StoredRow row(byte[] value) {
        return row(ByteBuffer.wrap(value), Map.of());
    }

    /** A value as a cache keeps it: with the digests of its row, so that they need not be derived again. */
    public static byte[] cached(byte[] value, Map<Long, Digest> digests) {
        ByteBuffer out = ByteBuffer.allocate(Short.BYTES + digests.size() * DIGEST + value.length)
                .putShort((short) digests.size());
        digests.forEach((generation, digest) ->
                out.putLong(generation).putLong(digest.high()).putLong(digest.low()));
        return out.put(value).array();
    }

    /** Reads what {@link #cached} made. */
    public static StoredRow cachedRow(byte[] cached) {
        ByteBuffer in = ByteBuffer.wrap(cached);
        Map<Long, Digest> digests = new HashMap<>();
        for (int i = in.getShort(); i > 0; i--) {
            digests.put(in.getLong(), new Digest(in.getLong(), in.getLong()));
        }
        return row(in, digests);
    }

    private static StoredRow row(ByteBuffer in, Map<Long, Digest> digests) {
        RowVersion version = new RowVersion(in.getLong(), in.getLong());
        Instant time = Instant.EPOCH.plus(in.getLong(), ChronoUnit.MICROS);
        byte[] json = new byte[in.remaining()];
        in.get(json);
        return new StoredRow(version, time, RowDocument.stored(json), digests);
    }
}
