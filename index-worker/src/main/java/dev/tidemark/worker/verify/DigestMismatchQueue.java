package dev.tidemark.worker.verify;

import java.time.Instant;
import java.util.Optional;

import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.apply.DigestFinding;
import dev.tidemark.worker.shard.OpenShard;

/**
 * Finds the generations whose digest differs from that of their table, so that the rows are compared and named. Each is
 * given out once in a while only. A row in quarantine makes digests differ too, and may hide that others do.
 */
final class DigestMismatchQueue {
    private final VerifyBackoff turns;

    DigestMismatchQueue(LocalGenerations held) {
        this.turns = new VerifyBackoff(held);
    }

    /** What to compare next; empty when nothing differs, or it was given out lately. */
    Optional<FirstVerificationQueue.Due> next(Instant now) {
        Optional<FirstVerificationQueue.Due> due =
                turns.next(now, (generation, shards) -> shards.stream().anyMatch(shard -> differs(shard, generation)));
        due.ifPresent(given -> turns.rest(given, now));
        return due;
    }

    private static boolean differs(OpenShard shard, Generation generation) {
        return shard.status()
                .flatMap(status -> Optional.ofNullable(status.digests().get(generation.id())))
                .filter(DigestFinding::isSurelyDifferent)
                .isPresent();
    }
}
