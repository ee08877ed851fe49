package dev.tidemark.worker.advise;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the answered queries, by generation. For any thread. */
public final class QueryMeter {
    private final Map<Long, Counters> byGeneration = new ConcurrentHashMap<>();

    private record Counters(LongAdder queries, LongAdder fetches) {}

    /** A query was answered, with or without fetching the rows. */
    public void answered(long generation, boolean fetchedRows) {
        Counters counters =
                byGeneration.computeIfAbsent(generation, id -> new Counters(new LongAdder(), new LongAdder()));
        counters.queries().increment();
        if (fetchedRows) {
            counters.fetches().increment();
        }
    }

    /** Queries answered from a generation. */
    public long queries(long generation) {
        Counters counters = byGeneration.get(generation);
        return counters == null ? 0 : counters.queries().sum();
    }

    /** Those of them for which the rows were fetched. */
    public long fetches(long generation) {
        Counters counters = byGeneration.get(generation);
        return counters == null ? 0 : counters.fetches().sum();
    }

    /** Forgets the generations that are not among these. */
    void retain(Set<Long> generations) {
        byGeneration.keySet().retainAll(generations);
    }
}
