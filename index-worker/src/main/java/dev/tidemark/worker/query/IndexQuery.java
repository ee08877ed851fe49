package dev.tidemark.worker.query;

import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;

/**
 * A question to an index.
 *
 * @param index which index
 * @param partitions those whose rows are asked for
 * @param range the block of entry keys asked for
 * @param order from which end of the block
 * @param after the entry after which to go on; empty to begin at the end of the block
 * @param limit most entries to answer, at least 1
 * @param fetchRow whether to follow each entry to its row in the fact table
 * @param partial whether the partitions that can be had will do
 * @param demand how recent the answer must be
 */
public record IndexQuery(
        IndexNames.Found index,
        SortedSet<Integer> partitions,
        KeyRange range,
        Order order,
        Optional<KeyBytes> after,
        int limit,
        boolean fetchRow,
        boolean partial,
        ReadConsistency demand) {
    /** Entries in one answer when nothing is said. */
    public static final int USUAL_LIMIT = 100;

    public IndexQuery {
        partitions = Collections.unmodifiableSortedSet(new TreeSet<>(partitions));
    }

    /** Whether it is about all partitions that can have what is asked for. */
    boolean isWhole() {
        return partitions.equals(index.partitions(range));
    }

    /** The same of some partitions alone, without their rows. */
    public IndexQuery part(SortedSet<Integer> some, Duration patience) {
        return new IndexQuery(index, some, range, order, after, limit, false, false, demand.part(some, patience));
    }

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
