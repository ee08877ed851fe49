package dev.tidemark.worker.query;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.apply.ShardStatus;

/** The pure choice of the generation of an index that answers. */
final class GenerationChoice {
    private GenerationChoice() {}

    /**
     * A generation that may be chosen.
     *
     * @param partitions how many shards have it together
     * @param held how those are doing that are open here
     */
    record Candidate(Generation generation, int partitions, List<ShardStatus> held) {
        private boolean isWhole() {
            return held.size() == partitions;
        }

        private boolean isHere() {
            return !held.isEmpty();
        }

        private boolean serves() {
            return held.stream().allMatch(this::serves);
        }

        private boolean servesOrRestores() {
            return held.stream().allMatch(status -> serves(status) || status.restores(generation));
        }

        private boolean serves(ShardStatus status) {
            return status.checkpoint().serves(generation.id());
        }
    }

    /**
     * The newest generation that may answer in every shard; otherwise in all that are here; otherwise in all of these
     * but those that are built from nothing. The newest of all where nothing of any is here, which the answer will say.
     *
     * @param newestFirst the generations of an index
     */
    static Optional<Generation> of(List<Candidate> newestFirst) {
        Predicate<Candidate> here = Candidate::isHere;
        if (newestFirst.stream().noneMatch(here)) {
            return newestFirst.stream().map(Candidate::generation).findFirst();
        }
        return Stream.of(
                        here.and(Candidate::isWhole).and(Candidate::serves),
                        here.and(Candidate::serves),
                        here.and(Candidate::servesOrRestores))
                .flatMap(rule -> newestFirst.stream().filter(rule))
                .map(Candidate::generation)
                .findFirst();
    }
}
