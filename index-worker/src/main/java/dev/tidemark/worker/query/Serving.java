package dev.tidemark.worker.query;

import java.util.Collection;
import java.util.Optional;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.IndexPlan;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * Which generation of an index answers: the current one when it may in every shard that is asked, else the previous one when
 * it may. Decided from the very views that are read, so an answer never mixes two, whatever happens meanwhile.
 */
final class Serving {
    private Serving() {}

    /** The generation that answers; empty while none may. */
    static Optional<Generation> choose(IndexPlan plan, Collection<ShardCheckpoint> shards) {
        return plan.generations().stream()
                .filter(generation -> serves(shards, generation))
                .findFirst();
    }

    /** Whether a generation may answer in all of these shards. */
    static boolean serves(Collection<ShardCheckpoint> shards, Generation generation) {
        return shards.stream().allMatch(shard -> serves(shard, generation));
    }

    private static boolean serves(ShardCheckpoint shard, Generation generation) {
        return shard.generation(generation.id())
                .filter(GenerationStatus::serves)
                .isPresent();
    }
}
