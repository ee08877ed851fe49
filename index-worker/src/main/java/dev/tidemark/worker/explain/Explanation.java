package dev.tidemark.worker.explain;

import java.util.Optional;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.query.IndexNames;

/**
 * Why a row is, or is not, in an index.
 *
 * @param index the index of the request
 * @param key the row's encoded primary key
 * @param outcome the answer
 * @param sight the row in the shard; empty when this process does not hold the shard
 * @param asked the answer of the writer
 */
public record Explanation(
        IndexNames.Found index, KeyBytes key, RowStatus outcome, Optional<RowSnapshot> sight, FactLookup asked) {

    /** The answer in one sentence. */
    public String sentence() {
        return new ExplanationText(index.definition(), this).sentence();
    }
}
