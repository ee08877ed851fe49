package dev.tidemark.worker.backfill;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;

/**
 * When the backfill of each generation began, and how long it took. The shards store the beginning, so it outlives the
 * process. The end is observed by this process. While any shard is not open, nothing is observed. Not thread-safe: the
 * caller synchronizes.
 */
final class BuildTimes {
    private final Map<Long, Instant> began = new HashMap<>();
    private final Map<Long, Duration> took = new HashMap<>();

    /** Records which backfills have begun or ended since the last call, and forgets generations that no shard holds. */
    void look(Collection<OpenShard> shards, Instant now) {
        Set<Long> held = new HashSet<>();
        Set<Long> copying = new HashSet<>();
        for (OpenShard shard : shards) {
            Optional<ShardStatus> status = shard.status();
            if (status.isEmpty()) {
                return;
            }
            for (GenerationStatus generation :
                    status.get().checkpoint().generations().values()) {
                held.add(generation.id());
                if (isCopied(generation.phase())) {
                    copying.add(generation.id());
                    note(generation);
                }
            }
        }
        began.keySet().retainAll(held);
        took.keySet().retainAll(held);
        began.forEach((id, since) -> {
            if (!copying.contains(id)) {
                took.putIfAbsent(id, Duration.between(since, now));
            }
        });
    }

    Optional<Duration> took(long generation) {
        return Optional.ofNullable(took.get(generation));
    }

    private void note(GenerationStatus generation) {
        GenerationState state =
                generation.phase() instanceof GenerationState.Paused paused ? paused.building() : generation.phase();
        began.merge(generation.id(), state.since(), (one, other) -> one.isBefore(other) ? one : other);
        // Copied again, because rows were lacking: the end that was seen was none.
        took.remove(generation.id());
    }

    private static boolean isCopied(GenerationState state) {
        return state instanceof GenerationState.Building || state instanceof GenerationState.Paused;
    }
}
