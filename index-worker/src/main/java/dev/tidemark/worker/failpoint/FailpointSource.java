package dev.tidemark.worker.failpoint;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.tidemark.runtime.Failpoints;
import dev.tidemark.worker.consume.ChangeSource;
import dev.tidemark.worker.shard.StartPosition;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

/** A member of the consumer group with failpoints around polls, start positions and progress reports. */
record FailpointSource(ChangeSource source, Failpoints points) implements ChangeSource {
    @Override
    public void follow(Set<String> tables, Assignment assignment) {
        source.follow(tables, assignment);
    }

    @Override
    public Fetched poll(Duration patience, long bytes) {
        Fetched fetched = source.poll(patience, bytes);
        if (!fetched.batches().isEmpty()) {
            points.reach(WorkerFailpoint.POLL_TAKEN.label());
        }
        return fetched;
    }

    @Override
    public void startAt(ShardId shard, StartPosition position) {
        source.startAt(shard, position);
        points.reach(WorkerFailpoint.ASSIGN_STARTED.label());
    }

    @Override
    public void pause(List<ShardId> shards) {
        source.pause(shards);
    }

    @Override
    public void resume(List<ShardId> shards) {
        source.resume(shards);
    }

    @Override
    public void note(Map<ShardId, ShardCheckpoint> progress, Runnable taken) {
        points.reach(WorkerFailpoint.NOTE_BEFORE.label());
        source.note(progress, () -> {
            taken.run();
            points.reach(WorkerFailpoint.NOTE_TAKEN.label());
        });
    }

    @Override
    public void close() {
        source.close();
    }
}
