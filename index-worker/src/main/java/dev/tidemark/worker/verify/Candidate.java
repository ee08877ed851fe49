package dev.tidemark.worker.verify;

import java.util.Set;

import dev.tidemark.key.KeyBytes;

/**
 * A row that does not look right in one generation of an index.
 *
 * @param extra entries of the row that were seen and should not be, or not so; the others are known from the row itself
 */
record Candidate(ShardWindow shard, KeyBytes primaryKey, long generation, Set<KeyBytes> extra) {
    Candidate {
        extra = Set.copyOf(extra);
    }
}
