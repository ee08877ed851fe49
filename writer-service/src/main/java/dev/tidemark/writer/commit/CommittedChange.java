package dev.tidemark.writer.commit;

import java.util.List;
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
 * @param placements where the change is published to beside the table's own topic
 */
public record CommittedChange(
        String table, int partition, ChangeEvent event, Map<Long, Digest> digests, List<Placement> placements) {
    private static final long PLACEMENT_BYTES = 32;

    public CommittedChange {
        placements = List.copyOf(placements);
    }

    /** A change of which no digest is known. */
    public CommittedChange(String table, int partition, ChangeEvent event) {
        this(table, partition, event, Map.of(), List.of());
    }

    /** The same, whose row has these digests. */
    CommittedChange with(Map<Long, Digest> known) {
        return new CommittedChange(table, partition, event, known, placements);
    }

    /** The same, which is published to these partitions, too. */
    public CommittedChange placed(List<Placement> partitions) {
        return new CommittedChange(table, partition, event, digests, partitions);
    }

    /** Position in commit order over all tables; consecutive, beginning with 1. */
    public long sequence() {
        return event.version().sequence();
    }

    /** Roughly what the change occupies. */
    public long bytes() {
        int row =
                event instanceof ChangeEvent.Upserted upserted ? upserted.row().bytes().length : 0;
        return row + event.key().length() + 64L + placements.size() * PLACEMENT_BYTES;
    }
}
