package dev.tidemark.worker.query;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.ShardId;

/**
 * The choice of the generation of an index that answers: for queries, and for receipts, which say what queries see.
 *
 * @param plan what is wanted of the index
 * @param homes gives the table whose shards hold a generation
 */
public record GenerationChoice(DesiredIndex plan, Function<Generation, TableDefinition> homes, Shards shards) {
    /**
     * The newest generation that may answer in every shard, here or elsewhere. A shard without any note decides
     * nothing: the worker that takes it over will refuse. Where no shard has a note, there may be none yet.
     *
     * @param elsewhere whether another worker answers from a generation in a shard; empty where none has the shard
     */
    public Optional<Generation> everywhere(BiFunction<ShardId, Long, Optional<Boolean>> elsewhere) {
        return plan.generations().stream()
                .filter(generation -> {
                    List<Boolean> known = ShardId.allOf(homes.apply(generation)).stream()
                            .flatMap(shard -> serves(shard, generation.id(), elsewhere).stream())
                            .toList();
                    return !known.isEmpty() && !known.contains(false);
                })
                .findFirst();
    }

    private Optional<Boolean> serves(
            ShardId shard, long generation, BiFunction<ShardId, Long, Optional<Boolean>> elsewhere) {
        Optional<Boolean> here = shards.find(shard)
                .flatMap(OpenShard::status)
                .map(status -> status.checkpoint().serves(generation));
        return here.filter(serves -> serves)
                .or(() -> elsewhere.apply(shard, generation))
                .or(() -> here);
    }

    /**
     * The newest generation all of whose shards are here and may answer; otherwise that may answer in all that are
     * here; otherwise in all of these but those that are built from nothing. Empty where there is none.
     */
    public Optional<Generation> here() {
        return best(candidates());
    }

    /** The same; the newest of all where nothing of any is here, which the answer will say. */
    Optional<Generation> hereOrNewest() {
        List<Candidate> newestFirst = candidates();
        return newestFirst.stream().allMatch(candidate -> candidate.held().isEmpty())
                ? plan.generations().stream().findFirst()
                : best(newestFirst);
    }

    private List<Candidate> candidates() {
        return plan.generations().stream()
                .map(generation -> {
                    TableDefinition home = homes.apply(generation);
                    List<ShardStatus> held = shards.of(home).stream()
                            .flatMap(shard -> shard.status().stream())
                            .toList();
                    return new Candidate(generation, home.partitions(), held);
                })
                .toList();
    }

    private static Optional<Generation> best(List<Candidate> newestFirst) {
        return Stream.<Predicate<Candidate>>of(
                        candidate -> candidate.isWhole() && candidate.serves(),
                        Candidate::serves,
                        Candidate::servesOrRestores)
                .flatMap(rule -> newestFirst.stream().filter(rule))
                .map(Candidate::generation)
                .findFirst();
    }

    /**
     * A generation that may be chosen.
     *
     * @param partitions how many shards have it together
     * @param held how those are doing that are open here
     */
    private record Candidate(Generation generation, int partitions, List<ShardStatus> held) {
        boolean isWhole() {
            return held.size() == partitions;
        }

        boolean serves() {
            return !held.isEmpty() && held.stream().allMatch(this::serves);
        }

        boolean servesOrRestores() {
            return !held.isEmpty() && held.stream().allMatch(status -> serves(status) || status.restores(generation));
        }

        private boolean serves(ShardStatus status) {
            return status.checkpoint().serves(generation.id());
        }
    }
}
