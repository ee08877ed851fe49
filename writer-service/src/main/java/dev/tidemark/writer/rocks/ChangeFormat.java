package dev.tidemark.writer.rocks;

import java.nio.ByteBuffer;
import java.time.Instant;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.Placement;

/**
 * Keys and values of {@link WriterDatabase#outbox}. A change with placements has another kind, and their length and the
 * placements behind the primary key.
 */
final class ChangeFormat {
    private static final byte CREATED = 1;
    private static final byte UPDATED = 2;
    private static final byte DELETED = 3;

    /** Added to the kind of a change with placements. */
    private static final byte PLACED = 3;

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
                .put((byte) (kind(event) + (placed ? PLACED : 0)))
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
        byte kind = (byte) (placed ? code - PLACED : code);
        String table = tables.byId(in.getInt()).name();
        int partition = in.getInt();
        RowVersion version = new RowVersion(in.getLong(), Bytes.toLong(key));
        Instant time = Bytes.time(in.getLong());
        byte[] primaryKey = new byte[in.getInt()];
        in.get(primaryKey);
        byte[] placements = new byte[placed ? in.getInt() : 0];
        in.get(placements);
        return new CommittedChange(table, partition, event(kind, KeyBytes.wrap(primaryKey), version, time, in))
                .placed(Placement.decode(table, placements));
    }

    private static ChangeEvent event(byte kind, KeyBytes key, RowVersion version, Instant time, ByteBuffer rest) {
        if (kind == DELETED) {
            return new ChangeEvent.Deleted(key, version, time);
        }
        if (kind != CREATED && kind != UPDATED) {
            throw new IllegalStateException("Expected a kind of change of 1 to 6, but found " + kind);
        }
        UpsertKind operation = kind == CREATED ? UpsertKind.CREATE : UpsertKind.UPDATE;
        return new ChangeEvent.Upserted(key, version, time, operation, RowDocument.stored(Bytes.rest(rest)));
    }

    private static byte kind(ChangeEvent event) {
        if (event instanceof ChangeEvent.Deleted) {
            return DELETED;
        }
        if (event instanceof ChangeEvent.Upserted upserted && upserted.operation() != UpsertKind.READ) {
            return upserted.operation() == UpsertKind.CREATE ? CREATED : UPDATED;
        }
        throw new IllegalArgumentException("Expected a change of a commit, but got " + event);
    }
}
