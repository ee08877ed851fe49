package dev.tidemark.worker.consume;

import java.time.Instant;

/** Whether a topic has been looked at, so that shards of a topic that was made anew are known. For any thread. */
@FunctionalInterface
public interface TopicObservation {
    /** Whether a look that began after some time found the topic of a table, and dealt with the shards of an older one. */
    boolean hasSeen(String table, Instant since);
}
