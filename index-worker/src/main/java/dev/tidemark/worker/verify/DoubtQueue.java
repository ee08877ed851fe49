package dev.tidemark.worker.verify;

import java.time.Instant;
import java.util.Optional;

import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.apply.DigestFinding;
import dev.tidemark.worker.lifecycle.LiveShard;

/**
 * Finds the generations whose digest differs from that of their table, so that the rows are compared and named. Each is
 * given out once in a while only. A row in quarantine makes digests differ too, and may hide that others do.
 */
final class DoubtQueue {
    private final OnceInAWhile turns;

    DoubtQueue(HeldTables held) {
        this.turns = new OnceInAWhile(held);
    }

    /** What to compare next; empty when nothing differs, or it was given out lately. */
    Optional<ProofQueue.Due> next(Instant now) {
        Optional<ProofQueue.Due> due =
                turns.next(now, (generation, shards) -> shards.stream().anyMatch(shard -> differs(shard, generation)));
        due.ifPresent(given -> turns.rest(given, now));
        return due;
    }

    private static boolean differs(LiveShard shard, Generation generation) {
        return shard.status()
                .flatMap(status -> Optional.ofNullable(status.digests().get(generation.id())))
                .filter(DigestFinding::isSurelyDifferent)
                .isPresent();
    }
}
