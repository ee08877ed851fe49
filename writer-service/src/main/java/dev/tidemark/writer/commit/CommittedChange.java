package dev.tidemark.writer.commit;

import dev.tidemark.change.ChangeEvent;

/**
 * One change of one row: what the fact table applies and what the outbox publishes.
 *
 * @param table name of the fact table
 * @param partition the row's hash shard
 * @param event the row's new state
 */
public record CommittedChange(String table, int partition, ChangeEvent event) {
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
