package dev.tidemark.worker.query;

import java.util.Optional;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;

/**
 * A question to an index.
 *
 * @param index which index
 * @param range the block of entry keys asked for
 * @param order from which end of the block
 * @param after the entry after which to go on; empty to begin at the end of the block
 * @param limit most entries to answer, at least 1
 * @param fetchRow whether to follow each entry to its row in the fact table
 * @param partial whether the partitions that this worker holds will do
 * @param demand how recent the answer must be
 */
public record IndexQuery(
        IndexNames.Found index,
        KeyRange range,
        Order order,
        Optional<KeyBytes> after,
        int limit,
        boolean fetchRow,
        boolean partial,
        ReadConsistency demand) {
    /** Entries in one answer when nothing is said. */
    public static final int USUAL_LIMIT = 100;

    /** What is left of the block after the entry to go on from. */
    KeyRange rest() {
        if (after.isEmpty()) {
            return range;
        }
        KeyBytes last = after.get();
        return order == Order.ASC
                ? new KeyRange(last.concat(KeyBytes.wrap(new byte[] {0})), range.toExclusive())
                : new KeyRange(range.fromInclusive(), last);
    }
}
