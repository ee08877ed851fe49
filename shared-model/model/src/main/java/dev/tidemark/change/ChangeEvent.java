package dev.tidemark.change;

import java.time.Instant;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

/** A new state of one row. */
public sealed interface ChangeEvent extends ChangeMessage {

    /** Encoded primary key. */
    KeyBytes key();

    /** Version of the row that this event made. */
    RowVersion version();

    /** When the writer committed it, by the writer's clock. */
    Instant committedAt();

    /**
     * Whether the event stands in its partition in commit order, so that having seen it means having seen all before
     * it. An event that was published again from the fact table does not.
     */
    default boolean inCommitOrder() {
        return true;
    }

    /**
     * The row was inserted or replaced.
     *
     * @param operation insert, update, or read again from the fact table
     * @param row the whole row after the change
     */
    record Upserted(KeyBytes key, RowVersion version, Instant committedAt, UpsertKind operation, RowDocument row)
            implements ChangeEvent {
        @Override
        public boolean inCommitOrder() {
            return operation != UpsertKind.READ;
        }
    }

    /** The row was deleted. */
    record Deleted(KeyBytes key, RowVersion version, Instant committedAt) implements ChangeEvent {}

    /**
     * The row was deleted some time ago, and its key is being removed from the topic. The event repeats the {@link
     * Deleted} event of the same version for consumers that compaction deprived of it. It allows all others to forget
     * the row.
     */
    record Forgotten(KeyBytes key, RowVersion version, Instant committedAt) implements ChangeEvent {
        @Override
        public boolean inCommitOrder() {
            return false;
        }
    }
}
