package dev.tidemark.worker.verify;

import java.util.Optional;
import java.util.Set;

import dev.tidemark.facts.StreamedFact;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

/**
 * A row whose entries in one generation are not as the table says, and what is needed to put that right.
 *
 * @param shard that holds the wrong entries
 * @param fact the row as the table has it; empty where it has none
 * @param asOf every change up to this one shows in the fact
 * @param seen entries of the row that are in the index, right and wrong ones
 * @param foreign the version that the shard holds of the row, where the writer never gave it
 */
public record WrongRow(
        ShardWindow shard,
        KeyBytes primaryKey,
        long generation,
        Optional<StreamedFact> fact,
        RowVersion asOf,
        Set<KeyBytes> seen,
        Optional<RowVersion> foreign) {
    public WrongRow {
        seen = Set.copyOf(seen);
    }
}
