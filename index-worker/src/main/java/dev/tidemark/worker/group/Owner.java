package dev.tidemark.worker.group;

import dev.tidemark.progress.OffsetNote;
import dev.tidemark.worker.store.ShardId;

/**
 * A worker that answers for a shard, according to its last note.
 *
 * @param live whether its consumer group has members; where it has none, no worker answers
 */
public record Owner(ShardId shard, String replicaGroup, boolean live, OffsetNote note) {
    /** The worker itself. */
    public WorkerIdentity worker() {
        return new WorkerIdentity(note.url(), note.instance(), note.rack());
    }
}
