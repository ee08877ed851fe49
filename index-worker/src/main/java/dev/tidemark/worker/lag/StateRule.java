package dev.tidemark.worker.lag;

import java.time.Duration;
import java.util.List;

import dev.tidemark.progress.IndexState;

/** Which state an index is in, from the shards that hold it. The first rule that fits decides. */
public final class StateRule {
    /** Nothing heard for longer than this, and nothing known to wait, means that nobody tells. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private StateRule() {}

    /** The state of an index over these shards; unknown without any. */
    public static IndexState of(List<ShardLag> shards) {
        if (shards.isEmpty()) {
            return IndexState.UNKNOWN;
        }
        if (shards.stream().anyMatch(ShardLag::paused)) {
            return IndexState.PAUSED;
        }
        if (shards.stream().anyMatch(shard -> shard.failure().isPresent())) {
            return IndexState.DEGRADED;
        }
        if (shards.stream().anyMatch(ShardLag::isRestoring)) {
            return IndexState.RESTORING;
        }
        if (shards.stream().anyMatch(shard -> shard.quarantined() > 0)) {
            return IndexState.DEGRADED;
        }
        if (shards.stream().anyMatch(StateRule::isSilent)) {
            return IndexState.UNKNOWN;
        }
        return shards.stream().anyMatch(ShardLag::isLate) ? IndexState.CATCHING_UP : IndexState.STEADY;
    }

    private static boolean isSilent(ShardLag shard) {
        return shard.freshness()
                .map(age -> !shard.isBehind() && age.compareTo(SILENCE) > 0)
                .orElse(true);
    }
}
