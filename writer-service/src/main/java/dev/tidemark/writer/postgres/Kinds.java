package dev.tidemark.writer.postgres;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;

/** Numbers of the kinds of changes in the outbox. */
final class Kinds {
    static final short CREATED = 1;
    static final short UPDATED = 2;
    static final short DELETED = 3;

    private Kinds() {}

    static short of(ChangeEvent event) {
        if (event instanceof ChangeEvent.Deleted) {
            return DELETED;
        }
        if (event instanceof ChangeEvent.Upserted upserted && upserted.operation() != UpsertKind.READ) {
            return upserted.operation() == UpsertKind.CREATE ? CREATED : UPDATED;
        }
        throw new IllegalArgumentException("Expected a change of a commit, but got " + event);
    }
}
