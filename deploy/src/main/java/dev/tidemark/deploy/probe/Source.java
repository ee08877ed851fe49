package dev.tidemark.deploy.probe;

/** Who says how stale an index is. Each is judged for itself: whoever reads only one of them must not be misled. */
public enum Source {
    /** {@code freshness.stalenessMs} of the answer to a query, held against what that same answer contains. */
    ANSWER("answer stalenessMs"),

    /** {@code freshness.completeUpTo} of the answer to a query: nothing committed until then may be missing from it. */
    COMPLETE_UP_TO("answer completeUpTo"),

    /** {@code freshnessSeconds} of the worker's {@code /v1/lag}. */
    LAG_API("worker /v1/lag"),

    /** {@code tidemark_index_freshness_seconds} of the worker's {@code /metrics}. */
    WORKER_FRESHNESS("worker freshness"),

    /** {@code tidemark_index_lag_seconds} of the worker's {@code /metrics}, each partition for itself. */
    WORKER_LAG("worker lag per partition"),

    /** {@code tidemark_index_freshness_seconds} of the writer's {@code /metrics}, which tells when the worker is gone. */
    WRITER_FRESHNESS("writer freshness");

    private final String label;

    Source(String label) {
        this.label = label;
    }

    /** What people read. */
    public String label() {
        return label;
    }
}
