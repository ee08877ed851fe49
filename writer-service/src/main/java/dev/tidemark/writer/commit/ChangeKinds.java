package dev.tidemark.writer.commit;

import java.time.Instant;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

/** Numbers of the kinds of changes in the outbox. */
public final class ChangeKinds {
    public static final int CREATED = 1;
    public static final int UPDATED = 2;
    public static final int DELETED = 3;

    private ChangeKinds() {}

    /** The number of a change of a commit. */
    public static int of(ChangeEvent event) {
        if (event instanceof ChangeEvent.Deleted) {
            return DELETED;
        }
        if (event instanceof ChangeEvent.Upserted upserted && upserted.operation() != UpsertKind.READ) {
            return upserted.operation() == UpsertKind.CREATE ? CREATED : UPDATED;
        }
        throw new IllegalArgumentException("Expected a change of a commit, but got " + event);
    }

    /** The change of a number; a deletion has no row. */
    public static ChangeEvent event(int kind, KeyBytes key, RowVersion version, Instant time, byte[] row) {
        return switch (kind) {
            case CREATED, UPDATED -> {
                UpsertKind operation = kind == CREATED ? UpsertKind.CREATE : UpsertKind.UPDATE;
                yield new ChangeEvent.Upserted(key, version, time, operation, RowDocument.stored(row));
            }
            case DELETED -> new ChangeEvent.Deleted(key, version, time);
            default -> throw new IllegalStateException("Expected a kind of change of 1 to 3, but found " + kind);
        };
    }
}
