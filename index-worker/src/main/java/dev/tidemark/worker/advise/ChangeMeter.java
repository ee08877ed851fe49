package dev.tidemark.worker.advise;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import dev.tidemark.worker.apply.ApplyCounts;
import dev.tidemark.worker.apply.KeyChanges;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.apply.StageLatencies;
import dev.tidemark.worker.store.ShardId;

/** Counts how often updates change the keys of rows, by generation. For any thread. */
public final class ChangeMeter implements ShardApplier.Listener {
    private final Map<Long, Counters> byGeneration = new ConcurrentHashMap<>();

    private record Counters(LongAdder updates, LongAdder moved) {}

    @Override
    public void applied(ShardId shard, ApplyCounts counts) {
        // This meter counts key changes only.
    }

    @Override
    public void visible(ShardId shard, StageLatencies latencies) {
        // This meter counts key changes only.
    }

    @Override
    public void keysChanged(ShardId shard, Map<Long, KeyChanges> changes) {
        changes.forEach((generation, some) -> {
            Counters counters =
                    byGeneration.computeIfAbsent(generation, id -> new Counters(new LongAdder(), new LongAdder()));
            counters.updates().add(some.updates());
            counters.moved().add(some.moved());
        });
    }

    /** What was counted for a generation. */
    public ChangeCounts of(long generation) {
        Counters counters = byGeneration.get(generation);
        return counters == null
                ? ChangeCounts.NONE
                : new ChangeCounts(counters.updates().sum(), counters.moved().sum());
    }

    /** Forgets the generations that are not among these. */
    void retain(Set<Long> generations) {
        byGeneration.keySet().retainAll(generations);
    }
}
