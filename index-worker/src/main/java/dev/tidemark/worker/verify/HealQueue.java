package dev.tidemark.worker.verify;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TablePlan;
import dev.tidemark.worker.apply.DigestFinding;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.store.Phase;
import dev.tidemark.worker.verify.VerifyRequest.Mode;

/**
 * Finds the generations that were found to differ from their table, and whose digests have come to be equal since: what was
 * wrong was overwritten, or the table had gone back in time and its indexes had not followed yet. They are compared once more,
 * because equal digests alone do not prove it; where that finds them wrong again, not before long.
 */
final class HealQueue {
    private static final Duration ONCE_IN = Duration.ofMinutes(10);

    private final HeldTables held;
    private final Map<Place, Instant> seen = new HashMap<>();
    private final Map<Long, Instant> notBefore = new HashMap<>();

    /** A generation in a shard. */
    private record Place(long generation, int partition) {}

    HealQueue(HeldTables held) {
        this.held = held;
    }

    /** What to compare next; empty when nothing may have healed, or it was compared lately. */
    Optional<ProofQueue.Due> next(Instant now) {
        for (TablePlan table : held.tables()) {
            List<LiveShard> shards = held.shards(table);
            List<Generation> healed = held.whole(table, Optional.empty()).stream()
                    .filter(generation -> mayBeRight(generation, shards))
                    .filter(generation -> !now.isBefore(notBefore.getOrDefault(generation.id(), Instant.MIN)))
                    .toList();
            if (!healed.isEmpty()) {
                VerifyRequest request = new VerifyRequest(table.definition(), healed, Mode.FULL);
                return Optional.of(new ProofQueue.Due(request, shards));
            }
        }
        return Optional.empty();
    }

    /** It was compared. */
    void compared(ProofQueue.Due due, Instant now) {
        leave(due, now.plus(ONCE_IN));
    }

    /** Leaves it alone until then. */
    void leave(ProofQueue.Due due, Instant until) {
        due.request().generations().forEach(generation -> notBefore.put(generation.id(), until));
    }

    private boolean mayBeRight(Generation generation, List<LiveShard> shards) {
        boolean any = false;
        boolean all = true;
        for (LiveShard shard : shards) {
            Place place = new Place(generation.id(), shard.id().partition());
            if (HeldTables.is(shard, generation, HealQueue::differed)) {
                any = true;
                all &= isEqualSince(place, finding(shard, generation));
            } else {
                seen.remove(place);
            }
        }
        return any && all;
    }

    private static boolean differed(Phase phase) {
        return phase instanceof Phase.Degraded degraded && !degraded.refusing();
    }

    /** Whether a mark that came after it was first seen to differ says that it is equal. */
    private boolean isEqualSince(Place place, Optional<DigestFinding> finding) {
        Instant asOf = finding.map(DigestFinding::asOf).orElse(Instant.MIN);
        Instant first = seen.computeIfAbsent(place, other -> asOf);
        return asOf.isAfter(first) && finding.filter(DigestFinding::isEqual).isPresent();
    }

    private static Optional<DigestFinding> finding(LiveShard shard, Generation generation) {
        return shard.status()
                .flatMap(status -> Optional.ofNullable(status.digests().get(generation.id())));
    }
}
