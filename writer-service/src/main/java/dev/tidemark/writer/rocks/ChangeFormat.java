package dev.tidemark.writer.rocks;

import java.nio.ByteBuffer;
import java.time.Instant;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.ChangeKinds;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.Placement;

/**
 * Keys and values of {@link WriterDatabase#outbox}. A change with placements has another kind, and their length and the
 * placements behind the primary key.
 */
final class ChangeFormat {
    /** Added to the {@linkplain ChangeKinds kind} of a change with placements. */
    private static final int PLACED = ChangeKinds.DELETED;

    private static final int HEAD = 1 + 3 * Integer.BYTES + 2 * Long.BYTES;

    private ChangeFormat() {}

    static byte[] key(long sequence) {
        return Bytes.ofLong(sequence);
    }

    static byte[] value(StoredTable table, CommittedChange change) {
        ChangeEvent event = change.event();
        byte[] row =
                event instanceof ChangeEvent.Upserted upserted ? upserted.row().bytes() : new byte[0];
        byte[] key = event.key().array();
        boolean placed = !change.placements().isEmpty();
        byte[] placements = Placement.encode(change.placements());
        int more = placed ? Integer.BYTES + placements.length : 0;
        ByteBuffer out = ByteBuffer.allocate(HEAD + key.length + more + row.length)
                .put((byte) (ChangeKinds.of(event) + (placed ? PLACED : 0)))
                .putInt(table.id())
                .putInt(change.partition())
                .putLong(event.version().epoch())
                .putLong(Bytes.micros(event.committedAt()))
                .putInt(key.length)
                .put(key);
        if (placed) {
            out.putInt(placements.length).put(placements);
        }
        return out.put(row).array();
    }

    static CommittedChange change(TableRegistry tables, byte[] key, byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value);
        byte code = in.get();
        boolean placed = code > PLACED;
        int kind = placed ? code - PLACED : code;
        String table = tables.byId(in.getInt()).name();
        int partition = in.getInt();
        RowVersion version = new RowVersion(in.getLong(), Bytes.toLong(key));
        Instant time = Bytes.time(in.getLong());
        byte[] primaryKey = new byte[in.getInt()];
        in.get(primaryKey);
        byte[] placements = new byte[placed ? in.getInt() : 0];
        in.get(placements);
        ChangeEvent event = ChangeKinds.event(kind, KeyBytes.wrap(primaryKey), version, time, Bytes.rest(in));
        return new CommittedChange(table, partition, event).placed(Placement.decode(table, placements));
    }
}
