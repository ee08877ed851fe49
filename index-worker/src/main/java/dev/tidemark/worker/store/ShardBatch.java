package dev.tidemark.worker.store;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.key.KeyBytes;

/**
 * Everything that one step changes in a shard. It is applied as a whole or not at all. The list and the maps are not
 * copied, because every change passes through here; the caller must not change them afterwards.
 *
 * @param mutations changes to index entries
 * @param rows new row states by primary key; empty to forget the row
 * @param quarantine records to keep by record key; empty to remove the stored one
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
