package dev.tidemark.change;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.digest.Digest;
import dev.tidemark.row.RowVersion;

/**
 * The writer's word, in one partition, that everything up to a point has been published there before it.
 *
 * @param completeUpTo every change of the partition committed at or before this time precedes the heartbeat
 * @param frontier every change of the partition with a version up to this one precedes the heartbeat
 * @param digests by the numbers of generations, what the entries of the partition add up to that the table gives at the
 *     frontier, when no later change of the partition precedes the heartbeat; none in most heartbeats
 */
public record Heartbeat(Instant completeUpTo, RowVersion frontier, SortedMap<Long, Digest> digests)
        implements ChangeMessage {
    public Heartbeat {
        digests = Collections.unmodifiableSortedMap(new TreeMap<>(digests));
    }

    /** A heartbeat without digests. */
    public Heartbeat(Instant completeUpTo, RowVersion frontier) {
        this(completeUpTo, frontier, new TreeMap<>());
    }
}
