package dev.tidemark.worker.generation;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.tidemark.worker.apply.DigestFinding;

/**
 * Whether a generation of an index is equal to its table by their digests.
 *
 * @param equal empty while a shard cannot tell, and while one has found them to differ only once
 * @param asOf at this time, by the writer's clock, or later in some shards; empty while no shard can tell
 */
public record DigestEquality(Optional<Boolean> equal, Optional<Instant> asOf) {
    /**
     * From what each shard says.
     *
     * @param shards empty for one that cannot tell, or is elsewhere
     */
    public static DigestEquality of(List<Optional<DigestFinding>> shards) {
        List<DigestFinding> told = shards.stream().flatMap(Optional::stream).toList();
        Optional<Instant> asOf = told.stream().map(DigestFinding::asOf).min(Comparator.naturalOrder());
        if (told.stream().anyMatch(DigestFinding::isSurelyDifferent)) {
            return new DigestEquality(Optional.of(false), asOf);
        }
        boolean all = !shards.isEmpty()
                && told.size() == shards.size()
                && told.stream().allMatch(DigestFinding::isEqual);
        return new DigestEquality(all ? Optional.of(true) : Optional.empty(), asOf);
    }
}
