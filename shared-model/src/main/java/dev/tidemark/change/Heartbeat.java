package dev.tidemark.change;

import java.time.Instant;

import dev.tidemark.row.RowVersion;

/**
 * The writer's word, in one partition, that everything up to a point has been published there before it.
 *
 * @param completeUpTo every change of the partition committed at or before this time precedes the heartbeat
 * @param frontier every change of the partition with a version up to this one precedes the heartbeat
 */
public record Heartbeat(Instant completeUpTo, RowVersion frontier) implements ChangeMessage {}
