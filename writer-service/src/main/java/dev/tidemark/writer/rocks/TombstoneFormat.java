package dev.tidemark.writer.rocks;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.outbox.Tombstone;

/**
 * Keys and values of {@link WriterDatabase#tombstones} and {@link WriterDatabase#deleted}. A tombstone of a derived
 * table has its generation and its partition in the key too, and the name of the index before the primary key: one
 * change may have several.
 */
final class TombstoneFormat {
    private static final int KEY = 2 * Long.BYTES;

    /** No table has this number. */
    private static final int DERIVED = -1;

    private TombstoneFormat() {}

    static byte[] key(Tombstone tombstone) {
        Optional<DerivedTable> derived = DerivedTable.of(tombstone.table());
        ByteBuffer out = ByteBuffer.allocate(KEY + (derived.isPresent() ? Long.BYTES + Integer.BYTES : 0))
                .putLong(Bytes.micros(tombstone.deletedAt()))
                .putLong(tombstone.version().sequence());
        derived.ifPresent(home -> out.putLong(home.number()).putInt(tombstone.partition()));
        return out.array();
    }

    static byte[] value(TableRegistry tables, Tombstone tombstone) {
        byte[] key = tombstone.key().array();
        Optional<byte[]> index =
                DerivedTable.of(tombstone.table()).map(home -> home.index().getBytes(StandardCharsets.US_ASCII));
        int named = index.map(name -> 1 + name.length).orElse(0);
        ByteBuffer out = ByteBuffer.allocate(2 * Integer.BYTES + Long.BYTES + named + key.length)
                .putInt(tables.byName(DerivedTable.base(tombstone.table())).id())
                .putInt(tombstone.partition())
                .putLong(tombstone.version().epoch());
        index.ifPresent(name -> out.put((byte) name.length).put(name));
        return out.put(key).array();
    }

    static Tombstone tombstone(TableRegistry tables, byte[] key, byte[] value) {
        ByteBuffer head = ByteBuffer.wrap(key);
        Instant deletedAt = Bytes.time(head.getLong());
        long sequence = head.getLong();
        ByteBuffer in = ByteBuffer.wrap(value);
        String table = tables.byId(in.getInt()).name();
        int partition = in.getInt();
        RowVersion version = new RowVersion(in.getLong(), sequence);
        if (head.hasRemaining()) {
            byte[] index = new byte[in.get()];
            in.get(index);
            table = new DerivedTable(table, new String(index, StandardCharsets.US_ASCII), head.getLong()).name();
        }
        return new Tombstone(table, partition, KeyBytes.wrap(Bytes.rest(in)), version, deletedAt);
    }

    /** The key of a row of a table, or of a partition of a derived one, among those that were deleted. */
    static byte[] row(TableRegistry tables, Tombstone tombstone) {
        return DerivedTable.of(tombstone.table())
                .map(home -> ByteBuffer.allocate(
                                2 * Integer.BYTES + Long.BYTES + tombstone.key().length())
                        .putInt(DERIVED)
                        .putLong(home.number())
                        .putInt(tombstone.partition())
                        .put(tombstone.key().array())
                        .array())
                .orElseGet(() -> RowFormat.key(tables.byName(tombstone.table()), tombstone.key()));
    }
}
