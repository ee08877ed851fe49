package dev.tidemark.worker.store;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.key.KeyBytes;

/**
 * Everything that one step changes in a shard. Applied as a whole or not at all. Not copied, because every change passes
 * here: whoever makes a batch gives up the list and the maps that it is made of.
 *
 * @param mutations changes to index entries
 * @param rows new row states by primary key; empty to forget the row
 * @param quarantine records to keep by record key; empty to remove the one that is there
 * @param checkpoint how far the shard is once this is applied
 */
public record ShardBatch(
        List<IndexMutation> mutations,
        Map<KeyBytes, Optional<RowState>> rows,
        Map<KeyBytes, Optional<QuarantinedRecord>> quarantine,
        ShardCheckpoint checkpoint) {
    public ShardBatch {
        mutations = Collections.unmodifiableList(mutations);
        rows = Collections.unmodifiableMap(rows);
        quarantine = Collections.unmodifiableMap(quarantine);
    }

    /** A batch that only moves the checkpoint. */
    public static ShardBatch of(ShardCheckpoint checkpoint) {
        return new ShardBatch(List.of(), Map.of(), Map.of(), checkpoint);
    }
}
