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

/**
 * Finds the generations whose digest differs from that of their table, so that the rows are compared and named. Each is
 * given out once in a while only. Where a row is in quarantine, that is why they differ, and it is named already.
 */
final class DoubtQueue {
    private static final Duration ONCE_IN = Duration.ofMinutes(10);

    private final HeldTables held;
    private final Map<Long, Instant> notBefore = new HashMap<>();

    DoubtQueue(HeldTables held) {
        this.held = held;
    }

    /** What to compare next; empty when nothing differs, or it was given out lately. */
    Optional<ProofQueue.Due> next(Instant now) {
        for (TablePlan table : held.tables()) {
            List<LiveShard> shards = held.shards(table);
            List<Generation> doubtful = held.whole(table, Optional.empty()).stream()
                    .filter(generation -> shards.stream().anyMatch(shard -> differs(shard, generation)))
                    .filter(generation -> !now.isBefore(notBefore.getOrDefault(generation.id(), Instant.MIN)))
                    .toList();
            if (!doubtful.isEmpty()) {
                doubtful.forEach(generation -> notBefore.put(generation.id(), now.plus(ONCE_IN)));
                VerifyRequest request = new VerifyRequest(table.definition(), doubtful, VerifyRequest.Mode.FULL);
                return Optional.of(new ProofQueue.Due(request, shards));
            }
        }
        return Optional.empty();
    }

    private static boolean differs(LiveShard shard, Generation generation) {
        return shard.status()
                .filter(status -> status.checkpoint().quarantined() == 0)
                .flatMap(status -> Optional.ofNullable(status.digests().get(generation.id())))
                .filter(DigestFinding::isSurelyDifferent)
                .isPresent();
    }
}
