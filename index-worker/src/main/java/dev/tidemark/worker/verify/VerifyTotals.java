package dev.tidemark.worker.verify;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

import dev.tidemark.worker.store.ShardId;

/** What all passes so far came to, for meters. The verify thread writes, any thread may read. */
public final class VerifyTotals {
    private final Map<Place, Long> divergence = new ConcurrentHashMap<>();
    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong repaired = new AtomicLong();

    /** A generation in a shard. */
    private record Place(ShardId shard, long generation) {}

    /** Wrong entries that the last pass over a generation in a shard found; empty before the first. */
    public OptionalLong divergence(ShardId shard, long generation) {
        Long found = divergence.get(new Place(shard, generation));
        return found == null ? OptionalLong.empty() : OptionalLong.of(found);
    }

    /** Rows looked at. */
    public long rows() {
        return rows.get();
    }

    /** Rows put right. */
    public long repaired() {
        return repaired.get();
    }

    void passed(long more) {
        rows.addAndGet(more);
    }

    void repaired(long more) {
        repaired.addAndGet(more);
    }

    void found(ShardId shard, long generation, long wrong) {
        divergence.put(new Place(shard, generation), wrong);
    }

    /** Forgets what was found in other shards. One that comes back may hold what another worker had. */
    void retain(Predicate<ShardId> held) {
        divergence.keySet().removeIf(place -> !held.test(place.shard()));
    }
}
