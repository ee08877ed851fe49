package dev.tidemark.worker.generation;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.tidemark.worker.apply.DigestFinding;

/**
 * Whether a generation of an index is equal to its table by their digests.
 *
 * @param equal empty while a shard has no finding, and while a shard has found a difference only once
 * @param asOf the earliest time of a finding, by the writer's clock; empty while no shard has a finding
 */
public record DigestEquality(Optional<Boolean> equal, Optional<Instant> asOf) {
    /**
     * Combines the findings of all shards.
     *
     * @param shards the finding of each shard; empty for a shard that has none, or that is at another worker
     */
    public static DigestEquality of(List<Optional<DigestFinding>> shards) {
        List<DigestFinding> known = shards.stream().flatMap(Optional::stream).toList();
        Optional<Instant> asOf = known.stream().map(DigestFinding::asOf).min(Comparator.naturalOrder());
        if (known.stream().anyMatch(DigestFinding::isSurelyDifferent)) {
            return new DigestEquality(Optional.of(false), asOf);
        }
        boolean all = !shards.isEmpty()
                && known.size() == shards.size()
                && known.stream().allMatch(DigestFinding::isEqual);
        return new DigestEquality(all ? Optional.of(true) : Optional.empty(), asOf);
    }
}
