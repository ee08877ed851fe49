package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * A contiguous piece of one partition, read again for generations that were added later.
 *
 * @param builds what it was read for: the numbers of generations, and since when each was being built
 * @param fromOffset where the piece begins
 * @param rows the rows in it, in the order of their offsets; deletes are left out
 * @param nextOffset the first offset after the piece
 */
public record BackfillBatch(Map<Long, Instant> builds, long fromOffset, List<Row> rows, long nextOffset) {
    public BackfillBatch {
        builds = Map.copyOf(builds);
        rows = List.copyOf(rows);
    }

    /** The checkpoint of a shard that has got the rows. */
    ShardCheckpoint noted(ShardCheckpoint before) {
        return before.copied(builds, fromOffset, nextOffset);
    }

    /**
     * The records of the piece by row, in the order of offsets. The piece does not decide which record of a row counts:
     * an older version may come later, where the relay began again, and a newer version may be forged.
     */
    Map<KeyBytes, List<Row>> byKey() {
        Map<KeyBytes, List<Row>> byKey = new LinkedHashMap<>();
        rows.forEach(row ->
                byKey.computeIfAbsent(row.key(), key -> new ArrayList<>(1)).add(row));
        return byKey;
    }

    /**
     * A row of some version.
     *
     * @param derived the derived entries, by generation
     */
    public record Row(KeyBytes key, RowVersion version, SortedMap<Long, DerivedRow> derived) {}
}
