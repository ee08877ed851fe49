package dev.tidemark.worker.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;

/**
 * Which generations there are in the shards of this process, and how far they are.
 *
 * @param definitions the definitions in force
 */
public record LocalGenerations(Supplier<Definitions> definitions, Shards shards) {
    List<DesiredTable> tables() {
        return definitions.get().tables();
    }

    Optional<DesiredTable> table(String name) {
        return definitions.get().table(name);
    }

    /** The numbers of all generations that are wanted. */
    Set<Long> generations() {
        return definitions.get().numbers();
    }

    /** The shards of a table. */
    List<OpenShard> shards(DesiredTable table) {
        return shards.of(table.definition());
    }

    /** Rows of a table here, about. */
    long rows(DesiredTable table) {
        return shards(table).stream()
                .flatMap(shard -> shard.status().stream())
                .mapToLong(status -> status.checkpoint().liveRows())
                .sum();
    }

    /**
     * The generations that have every row in every shard here, as far as that is known.
     *
     * @param index bare name of an index; empty for all
     */
    List<Generation> whole(DesiredTable table, Optional<String> index) {
        List<Generation> whole = new ArrayList<>();
        for (Generation generation : table.generations()) {
            boolean wanted = index.isEmpty()
                    || index.get().equals(generation.definition().name());
            if (wanted && shards(table).stream().allMatch(shard -> is(shard, generation, GenerationState::isWhole))) {
                whole.add(generation);
            }
        }
        return whole;
    }

    /** The phase that a generation is in. */
    static boolean is(OpenShard shard, Generation generation, Predicate<GenerationState> phase) {
        return shard.status()
                .flatMap(status -> status.checkpoint().generation(generation.id()))
                .map(GenerationStatus::phase)
                .filter(phase)
                .isPresent();
    }
}
