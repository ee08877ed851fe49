package dev.tidemark.worker.verify;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.verify.VerifyRequest.Mode;

/**
 * Returns the generations that a predicate selects for a full comparison, but none again before its time. For one
 * thread.
 */
final class VerifyBackoff {
    private static final Duration USUAL = Duration.ofMinutes(10);

    private final LocalGenerations held;
    private final Map<Long, Instant> notBefore = new HashMap<>();

    VerifyBackoff(LocalGenerations held) {
        this.held = held;
    }

    /** The first table's generations that are picked, by them and their table's shards, and whose time has come. */
    Optional<FirstVerificationQueue.Due> next(Instant now, BiPredicate<Generation, List<OpenShard>> picked) {
        notBefore.values().removeIf(until -> !now.isBefore(until));
        for (DesiredTable table : held.tables()) {
            List<OpenShard> shards = held.shards(table);
            List<Generation> due = held.whole(table, Optional.empty()).stream()
                    .filter(generation -> picked.test(generation, shards))
                    .filter(generation -> !notBefore.containsKey(generation.id()))
                    .toList();
            if (!due.isEmpty()) {
                VerifyRequest request = new VerifyRequest(table.definition(), due, Mode.FULL);
                return Optional.of(new FirstVerificationQueue.Due(request, shards));
            }
        }
        return Optional.empty();
    }

    /** They are not given out again for a while. */
    void rest(FirstVerificationQueue.Due due, Instant now) {
        leave(due, now.plus(USUAL));
    }

    /** Leaves them alone until then. */
    void leave(FirstVerificationQueue.Due due, Instant until) {
        due.request().generations().forEach(generation -> notBefore.put(generation.id(), until));
    }

    /** How many generations are left alone now. */
    int resting() {
        return notBefore.size();
    }
}
