package dev.tidemark.worker.advise;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

import dev.tidemark.worker.apply.KeyChanges;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.store.ShardId;

/**
 * Counts by generation the answered queries, how often updates change the keys of rows, and which keys most changes
 * have. For any thread.
 */
public final class UsageMeter implements ShardApplier.Listener {
    private final Map<Long, Counters> byGeneration = new ConcurrentHashMap<>();
    private final Map<Part, KeySketch> sketches = new ConcurrentHashMap<>();

    /** A generation in a shard. */
    private record Part(ShardId shard, long generation) {}

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
            if (!some.sampled().isEmpty()) {
                sketches.computeIfAbsent(new Part(shard, generation), part -> new KeySketch())
                        .add(some.sampled());
            }
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
                watched,
                heavyKeys(generation));
    }

    private HeavyKeys heavyKeys(long generation) {
        return sketches.entrySet().stream()
                .filter(one -> one.getKey().generation() == generation)
                .map(one -> one.getValue().known())
                .reduce(HeavyKeys.NONE, HeavyKeys::plus);
    }

    /**
     * What was counted for all generations.
     *
     * @param watched how long queries were possible
     */
    Map<Long, Usage> all(Duration watched) {
        return byGeneration.keySet().stream().collect(Collectors.toMap(id -> id, id -> of(id, watched)));
    }

    /** Forgets the generations that are not among these, and the keys of shards that are not among those. */
    void retain(Set<Long> generations, Collection<ShardId> shards) {
        byGeneration.keySet().retainAll(generations);
        sketches.keySet().removeIf(part -> !generations.contains(part.generation()) || !shards.contains(part.shard()));
    }
}
