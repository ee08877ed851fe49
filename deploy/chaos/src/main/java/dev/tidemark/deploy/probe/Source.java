package dev.tidemark.deploy.probe;

import java.time.Duration;

/**
 * Who says how stale an index is. Each is judged for itself: whoever reads only one of them must not be misled. What each
 * worker says of an index is about the partitions that it holds, and is judged by those.
 */
public enum Source {
    /** {@code freshness.stalenessMs} of the answer to a query, held against what that same answer contains. */
    ANSWER("answer stalenessMs"),

    /** {@code freshness.completeUpTo} of the answer to a query: nothing committed until then may be missing from it. */
    COMPLETE_UP_TO("answer completeUpTo"),

    /** {@code freshnessSeconds} of the worker's {@code /v1/lag}. */
    LAG_API("worker /v1/lag"),

    /** {@code tidemark_index_freshness_seconds} of the worker's {@code /metrics}. */
    WORKER_FRESHNESS("worker freshness"),

    /**
     * {@code tidemark_index_lag_seconds} of the worker's {@code /metrics}, each partition for itself. A change that is not
     * published yet is unknown to the worker until the next heartbeat comes, and 0 until then.
     */
    WORKER_LAG("worker lag per partition", Duration.ofMillis(300)),

    /**
     * {@code tidemark_index_freshness_seconds} of the writer's {@code /metrics}, which tells when the worker is gone. It reads
     * what workers noted when it is asked.
     */
    WRITER_FRESHNESS("writer freshness");

    private final String label;
    private final Duration ownPeriod;

    Source(String label) {
        this(label, Duration.ZERO);
    }

    Source(String label, Duration ownPeriod) {
        this.label = label;
        this.ownPeriod = ownPeriod;
    }

    /** What people read. */
    public String label() {
        return label;
    }

    /**
     * How much too small its numbers may be: one sampling period of its own, which is at least what is tolerated of all.
     */
    public Duration allowance(Duration tolerance) {
        return tolerance.compareTo(ownPeriod) > 0 ? tolerance : ownPeriod;
    }
}
