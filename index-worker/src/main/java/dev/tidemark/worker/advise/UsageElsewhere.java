package dev.tidemark.worker.advise;

import java.time.Duration;
import java.util.Map;

/** Reads what other workers have counted: a query is counted where it is asked, and any worker may be asked. */
@FunctionalInterface
public interface UsageElsewhere {
    /** What this worker knows when there is no other one. */
    UsageElsewhere NONE = () -> new Counted(Map.of(), Duration.ofSeconds(Long.MAX_VALUE), 0);

    /**
     * The counts of all other workers.
     *
     * @param byGeneration their sums
     * @param watched how long the worker has counted that began last
     * @param silent number of workers that did not answer
     */
    record Counted(Map<Long, Usage> byGeneration, Duration watched, int silent) {}

    /** Reads the counts, which takes a moment. */
    Counted read();
}
