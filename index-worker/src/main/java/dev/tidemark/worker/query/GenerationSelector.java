package dev.tidemark.worker.query;

import java.util.Collection;
import java.util.Optional;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * Which generation of an index answers: the current one when it may in every shard that is asked, else the previous one when
 * it may, else the first that may in all but those that are built from nothing. Decided from the very views that are read, so an answer never mixes two, whatever happens meanwhile.
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
