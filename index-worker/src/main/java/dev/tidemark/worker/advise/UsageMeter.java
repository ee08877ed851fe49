package dev.tidemark.worker.advise;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

import dev.tidemark.worker.apply.KeyChanges;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.store.ShardId;

/** Counts by generation the answered queries, and how often updates change the keys of rows. For any thread. */
public final class UsageMeter implements ShardApplier.Listener {
    private final Map<Long, Counters> byGeneration = new ConcurrentHashMap<>();

    private record Counters(LongAdder queries, LongAdder fetches, LongAdder updates, LongAdder moved) {
        Counters() {
            this(new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
        }
    }

    @Override
    public void keysChanged(ShardId shard, Map<Long, KeyChanges> changes) {
        changes.forEach((generation, some) -> {
            Counters counters = byGeneration.computeIfAbsent(generation, id -> new Counters());
            counters.updates().add(some.updates());
            counters.moved().add(some.moved());
        });
    }

    /** A query was answered, with or without fetching the rows. */
    public void answered(long generation, boolean fetchedRows) {
        Counters counters = byGeneration.computeIfAbsent(generation, id -> new Counters());
        counters.queries().increment();
        if (fetchedRows) {
            counters.fetches().increment();
        }
    }

    /**
     * What was counted for a generation.
     *
     * @param watched how long queries were possible
     */
    public Usage of(long generation, Duration watched) {
        Counters counters = byGeneration.getOrDefault(generation, new Counters());
        return new Usage(
                counters.queries().sum(),
                counters.fetches().sum(),
                counters.updates().sum(),
                counters.moved().sum(),
                watched);
    }

    /**
     * What was counted for all generations.
     *
     * @param watched how long queries were possible
     */
    Map<Long, Usage> all(Duration watched) {
        return byGeneration.keySet().stream().collect(Collectors.toMap(id -> id, id -> of(id, watched)));
    }

    /** Forgets the generations that are not among these. */
    void retain(Set<Long> generations) {
        byGeneration.keySet().retainAll(generations);
    }
}
