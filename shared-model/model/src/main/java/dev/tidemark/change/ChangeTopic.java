package dev.tidemark.change;

import java.time.Duration;

/** The topic that carries the changes of one table: a complete copy of it, keyed by primary key, compacted. */
public final class ChangeTopic {
    /**
     * How long Kafka keeps a null tombstone. A worker that was away longer than half of it cannot know which deletes it
     * missed, and rebuilds.
     */
    public static final Duration DELETE_RETENTION = Duration.ofDays(7);

    /** A shard that is less far behind than this reads every record: none of them is compacted yet. */
    public static final Duration MIN_COMPACTION_LAG = Duration.ofHours(1);

    private static final String PREFIX = "tidemark.changes.";

    private ChangeTopic() {}

    public static String nameFor(String table) {
        return PREFIX + table;
    }
}
