package dev.tidemark.deploy.probe;

import java.time.Duration;

/**
 * The sources of staleness values for an index. Each is judged separately, so that a user who reads only one of them is
 * not misled. A value from a worker covers the partitions that the worker holds, and is judged by those.
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
     * {@code tidemark_index_lag_seconds} of the worker's {@code /metrics}, each partition for itself. A change that is
     * not published yet is unknown to the worker until the next heartbeat comes, and 0 until then.
     */
    WORKER_LAG("worker lag per partition", Duration.ofMillis(300)),

    /**
     * {@code tidemark_index_freshness_seconds} of the writer's {@code /metrics}, which also covers a worker that is
     * gone. The writer reads what the workers recorded when the metric is scraped.
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
     * Returns by how much its numbers may be too small: one sampling period of the source, but at least the general
     * tolerance.
     */
    public Duration allowance(Duration tolerance) {
        return tolerance.compareTo(ownPeriod) > 0 ? tolerance : ownPeriod;
    }
}
