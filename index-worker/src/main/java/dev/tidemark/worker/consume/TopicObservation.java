package dev.tidemark.worker.consume;

import java.time.Instant;

/** Whether a topic was observed, so that shards of a recreated topic are detected. For any thread. */
@FunctionalInterface
public interface TopicObservation {
    /**
     * Whether an observation that began after {@code since} found the topic of a table and handled shards of an older
     * one.
     */
    boolean hasSeen(String table, Instant since);
}
