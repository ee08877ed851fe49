package dev.tidemark.writer.commit;

import java.util.Map;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.digest.Digest;

/**
 * One change of one row: what the fact table applies and what the outbox publishes.
 *
 * @param table name of the fact table
 * @param partition the row's hash shard
 * @param event the row's new state
 * @param digests of the row's entries, by generation, as far as they are known
 */
public record CommittedChange(String table, int partition, ChangeEvent event, Map<Long, Digest> digests) {
    /** A change of which no digest is known. */
    public CommittedChange(String table, int partition, ChangeEvent event) {
        this(table, partition, event, Map.of());
    }

    /** The same, whose row has these digests. */
    CommittedChange with(Map<Long, Digest> known) {
        return new CommittedChange(table, partition, event, known);
    }

    /** Position in commit order over all tables; consecutive, beginning with 1. */
    public long sequence() {
        return event.version().sequence();
    }

    /** Roughly what the change occupies. */
    public long bytes() {
        int row =
                event instanceof ChangeEvent.Upserted upserted ? upserted.row().bytes().length : 0;
        return row + event.key().length() + 64L;
    }
}
