package dev.tidemark.worker.lag;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

import dev.tidemark.progress.IndexHealth;

/** Which state an index is in, from the shards that hold it. The first rule that fits decides. */
public final class HealthRule {
    /**
     * Maximum staleness of a shard that is not behind. Above it, the shard receives no heartbeats, and the health is
     * unknown.
     */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private HealthRule() {}

    /** The state of an index over these shards; unknown without any. */
    public static IndexHealth of(List<ShardLag> shards) {
        if (shards.isEmpty()) {
            return IndexHealth.UNKNOWN;
        }
        if (any(shards, ShardLag::paused)) {
            return IndexHealth.PAUSED;
        }
        if (any(shards, shard -> shard.failure().isPresent())) {
            return IndexHealth.DEGRADED;
        }
        if (any(shards, ShardLag::isRestoring)) {
            return IndexHealth.RESTORING;
        }
        if (any(shards, shard -> shard.quarantined() > 0)) {
            return IndexHealth.DEGRADED;
        }
        if (any(shards, HealthRule::isSilent)) {
            return IndexHealth.UNKNOWN;
        }
        return any(shards, ShardLag::isLate) ? IndexHealth.CATCHING_UP : IndexHealth.STEADY;
    }

    /** Without a stream: every answer needs a state. */
    private static boolean any(List<ShardLag> shards, Predicate<ShardLag> rule) {
        for (ShardLag shard : shards) {
            if (rule.test(shard)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSilent(ShardLag shard) {
        return shard.freshness()
                .map(age -> !shard.isBehind() && age.compareTo(SILENCE) > 0)
                .orElse(true);
    }
}
