package dev.tidemark.writer.rocks;

import java.nio.ByteBuffer;
import java.time.Instant;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.outbox.Tombstone;

/** Keys and values of {@link WriterDatabase#tombstones}. */
final class TombstoneFormat {
    private TombstoneFormat() {}

    static byte[] key(Instant deletedAt, RowVersion version) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(Bytes.micros(deletedAt))
                .putLong(version.sequence())
                .array();
    }

    static byte[] value(StoredTable table, CommittedChange delete) {
        byte[] key = delete.event().key().array();
        return ByteBuffer.allocate(2 * Integer.BYTES + Long.BYTES + key.length)
                .putInt(table.id())
                .putInt(delete.partition())
                .putLong(delete.event().version().epoch())
                .put(key)
                .array();
    }

    static Tombstone tombstone(TableRegistry tables, byte[] key, byte[] value) {
        ByteBuffer head = ByteBuffer.wrap(key);
        Instant deletedAt = Bytes.time(head.getLong());
        ByteBuffer in = ByteBuffer.wrap(value);
        String table = tables.byId(in.getInt()).name();
        int partition = in.getInt();
        RowVersion version = new RowVersion(in.getLong(), head.getLong());
        return new Tombstone(table, partition, KeyBytes.wrap(Bytes.rest(in)), version, deletedAt);
    }
}
