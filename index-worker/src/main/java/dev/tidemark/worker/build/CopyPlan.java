package dev.tidemark.worker.build;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.Phase;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * What has to be read again for one shard: one pass for all its generations that are being built.
 *
 * @param generations numbers of those that need it
 * @param from the first offset that one of them has not read
 * @param end where the last of them is done
 */
record CopyPlan(Set<Long> generations, long from, long end) {

    /** What a shard needs; empty when it needs nothing. */
    static Optional<CopyPlan> of(ShardCheckpoint checkpoint) {
        Set<Long> generations = new TreeSet<>();
        long from = Long.MAX_VALUE;
        long end = 0;
        for (GenerationStatus status : checkpoint.generations().values()) {
            if (status.phase() instanceof Phase.Building building && !building.isCopied()) {
                generations.add(status.id());
                from = Math.min(from, building.copied());
                end = Math.max(end, building.copyEnd());
            }
        }
        return generations.isEmpty() ? Optional.empty() : Optional.of(new CopyPlan(generations, from, end));
    }

    /** The generations that have read everything and still lack rows. */
    static Set<Long> lacking(ShardCheckpoint checkpoint) {
        Set<Long> lacking = new TreeSet<>();
        checkpoint.generations().forEach((id, status) -> {
            if (status.phase() instanceof Phase.Building building && building.isCopied()) {
                lacking.add(id);
            }
        });
        return lacking;
    }
}
