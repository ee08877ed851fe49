package dev.tidemark.change;

import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
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
 * @param source how far the source is whose rows the table holds; empty where clients write them. With a source, the
 *     time up to which the partition is complete is that of the source, and never that of a commit
 */
public record Heartbeat(
        Instant completeUpTo, RowVersion frontier, SortedMap<Long, Digest> digests, Optional<SourceMark> source)
        implements ChangeMessage {
    public Heartbeat {
        digests = Collections.unmodifiableSortedMap(new TreeMap<>(digests));
    }

    /** A heartbeat of a table that clients write. */
    public Heartbeat(Instant completeUpTo, RowVersion frontier, SortedMap<Long, Digest> digests) {
        this(completeUpTo, frontier, digests, Optional.empty());
    }

    /** The same of a table that follows a source. */
    public Heartbeat with(SourceMark mark) {
        return new Heartbeat(completeUpTo, frontier, digests, Optional.of(mark));
    }

    /** A heartbeat without digests. */
    public Heartbeat(Instant completeUpTo, RowVersion frontier) {
        this(completeUpTo, frontier, new TreeMap<>());
    }
}
