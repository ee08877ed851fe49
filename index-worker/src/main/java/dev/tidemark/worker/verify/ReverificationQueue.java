package dev.tidemark.worker.verify;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.apply.DigestFinding;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.GenerationState;

/**
 * Finds the generations that were found to differ from their table, and whose digests have come to be equal since: what
 * was wrong was overwritten, or the table had gone back in time and its indexes had not followed yet. They are compared
 * once more, because equal digests alone do not prove it; where that finds them wrong again, not before long.
 */
final class ReverificationQueue {
    private final LocalGenerations held;
    private final VerifyBackoff turns;
    private final Map<Place, Instant> seen = new HashMap<>();

    /** A generation in a shard. */
    private record Place(long generation, int partition) {}

    ReverificationQueue(LocalGenerations held) {
        this.held = held;
        this.turns = new VerifyBackoff(held);
    }

    /** What to compare next; empty when nothing may have healed, or it was compared lately. */
    Optional<FirstVerificationQueue.Due> next(Instant now) {
        Set<Long> present = held.generations();
        seen.keySet().removeIf(place -> !present.contains(place.generation()));
        return turns.next(now, this::mayBeRight);
    }

    /** It was compared. */
    void compared(FirstVerificationQueue.Due due, Instant now) {
        turns.rest(due, now);
    }

    /** Leaves it alone until then. */
    void leave(FirstVerificationQueue.Due due, Instant until) {
        turns.leave(due, until);
    }

    private boolean mayBeRight(Generation generation, List<OpenShard> shards) {
        boolean any = false;
        boolean all = true;
        for (OpenShard shard : shards) {
            Place place = new Place(generation.id(), shard.id().partition());
            if (LocalGenerations.is(shard, generation, ReverificationQueue::differed)) {
                any = true;
                all &= isEqualSince(place, finding(shard, generation));
            } else {
                seen.remove(place);
            }
        }
        return any && all;
    }

    private static boolean differed(GenerationState state) {
        return state instanceof GenerationState.Degraded degraded && !degraded.refusing();
    }

    /** Whether a mark that came after it was first seen to differ says that it is equal. */
    private boolean isEqualSince(Place place, Optional<DigestFinding> finding) {
        Instant asOf = finding.map(DigestFinding::asOf).orElse(Instant.MIN);
        Instant first = seen.computeIfAbsent(place, other -> asOf);
        return asOf.isAfter(first) && finding.filter(DigestFinding::isEqual).isPresent();
    }

    private static Optional<DigestFinding> finding(OpenShard shard, Generation generation) {
        return shard.status()
                .flatMap(status -> Optional.ofNullable(status.digests().get(generation.id())));
    }
}
