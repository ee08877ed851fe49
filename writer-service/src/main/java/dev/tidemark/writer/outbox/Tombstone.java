package dev.tidemark.writer.outbox;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.Placement;

/**
 * A delete whose row is to be forgotten some time later.
 *
 * @param table name of the fact table, or of a derived one, one partition of which holds the row no longer
 * @param partition the row's hash shard
 * @param key encoded primary key
 * @param version version of the delete
 * @param deletedAt when it was committed
 */
public record Tombstone(String table, int partition, KeyBytes key, RowVersion version, Instant deletedAt) {

    /** What topics are to forget by a change. */
    public static List<Tombstone> of(CommittedChange change) {
        ChangeEvent event = change.event();
        List<Tombstone> all = new ArrayList<>();
        if (event instanceof ChangeEvent.Deleted) {
            all.add(new Tombstone(
                    change.table(), change.partition(), event.key(), event.version(), event.committedAt()));
        }
        for (Placement placement : change.placements()) {
            if (!placement.holds()) {
                all.add(new Tombstone(
                        placement.table(), placement.partition(), event.key(), event.version(), event.committedAt()));
            }
        }
        return all;
    }
}
