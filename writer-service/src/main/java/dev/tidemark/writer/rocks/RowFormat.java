package dev.tidemark.writer.rocks;

import java.nio.ByteBuffer;
import java.util.Arrays;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.StoredRow;

/** Keys and values of {@link WriterDatabase#facts}. */
final class RowFormat {
    private static final int HEAD = 3 * Long.BYTES;

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
        ByteBuffer in = ByteBuffer.wrap(value);
        RowVersion version = new RowVersion(in.getLong(), in.getLong());
        return new StoredRow(version, Bytes.time(in.getLong()), RowDocument.stored(Bytes.rest(in)));
    }
}
