package dev.tidemark.worker.query;

import java.util.Collection;
import java.util.Optional;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * Selects the generation of an index that answers. The current one answers if it may in every requested shard,
 * otherwise the previous one. If neither may, the first answers that may in all shards but those that are built from
 * nothing. The selection uses the same views as the query, so an answer never mixes two generations.
 */
final class GenerationSelector {
    private GenerationSelector() {}

    /** The generation that answers; empty while none may. */
    static Optional<Generation> choose(DesiredIndex plan, Collection<ShardCheckpoint> shards) {
        return plan.generations().stream()
                .filter(generation -> serves(shards, generation))
                .findFirst()
                .or(() -> plan.generations().stream()
                        .filter(generation -> shards.stream().allMatch(shard -> servesOrRestores(shard, generation)))
                        .findFirst());
    }

    /** Whether a generation may answer in all of these shards. */
    static boolean serves(Collection<ShardCheckpoint> shards, Generation generation) {
        return shards.stream().allMatch(shard -> shard.serves(generation.id()));
    }

    private static boolean servesOrRestores(ShardCheckpoint shard, Generation generation) {
        return shard.serves(generation.id()) || shard.isRestoring(generation.id());
    }
}
