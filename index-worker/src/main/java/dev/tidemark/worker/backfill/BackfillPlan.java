package dev.tidemark.worker.backfill;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * What has to be read again for one shard: one pass for all its generations that are being built.
 *
 * @param generations the numbers of these generations, and since when each is being built. Rows that were passed on
 *     before a pause may not have been applied, so a resumed build counts as another one
 * @param from the first offset that one of them has not read
 * @param end the offset at which the last of them is done
 */
record BackfillPlan(Map<Long, Instant> generations, long from, long end) {

    /** What a shard needs; empty when it needs nothing. */
    static Optional<BackfillPlan> of(ShardCheckpoint checkpoint) {
        Map<Long, Instant> generations = new TreeMap<>();
        long from = Long.MAX_VALUE;
        long end = 0;
        for (GenerationStatus status : checkpoint.generations().values()) {
            if (status.phase() instanceof GenerationState.Building building && !building.isCopied()) {
                generations.put(status.id(), building.since());
                from = Math.min(from, building.copied());
                end = Math.max(end, building.copyEnd());
            }
        }
        return generations.isEmpty() ? Optional.empty() : Optional.of(new BackfillPlan(generations, from, end));
    }

    /** The generations that have read everything and still lack rows. */
    static Set<Long> lacking(ShardCheckpoint checkpoint) {
        Set<Long> lacking = new TreeSet<>();
        checkpoint.generations().forEach((id, status) -> {
            if (status.phase() instanceof GenerationState.Building building && building.isCopied()) {
                lacking.add(id);
            }
        });
        return lacking;
    }
}
