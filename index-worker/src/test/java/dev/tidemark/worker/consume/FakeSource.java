package dev.tidemark.worker.consume;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.PolledBatches;
import dev.tidemark.worker.shard.StartPosition;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

/** A source that gives what the test puts into it, and remembers what it was told. */
final class FakeSource implements ChangeSource {
    final Map<ShardId, StartPosition> started = new TreeMap<>();
    final List<ShardId> paused = new ArrayList<>();
    final Map<ShardId, ShardCheckpoint> noted = new TreeMap<>();
    final List<Runnable> confirmations = new ArrayList<>();
    Set<String> followed = Set.of();
    boolean closed;
    long allowed;
    private final Map<ShardId, ChangeBatch> batches = new HashMap<>();
    private final Map<ShardId, String> broken = new HashMap<>();
    private final Map<ShardId, String> failed = new HashMap<>();
    private @Nullable Assignment assignment;
    private @Nullable RuntimeException failure;

    void give(ShardId shard, ChangeBatch batch) {
        batches.put(shard, batch);
    }

    void breakOff(ShardId shard, String reason) {
        broken.put(shard, reason);
    }

    void fail(ShardId shard, String reason) {
        failed.put(shard, reason);
    }

    void failNextPoll(RuntimeException with) {
        failure = with;
    }

    Assignment assignment() {
        return Objects.requireNonNull(assignment);
    }

    @Override
    public void follow(Set<String> tables, Assignment told) {
        followed = tables;
        assignment = told;
    }

    @Override
    public PolledBatches poll(Duration patience, long bytes) {
        allowed = bytes;
        RuntimeException now = failure;
        if (now != null) {
            failure = null;
            throw now;
        }
        PolledBatches fetched = new PolledBatches(batches, broken, failed);
        paused.addAll(failed.keySet());
        batches.clear();
        broken.clear();
        failed.clear();
        return fetched;
    }

    @Override
    public void startAt(ShardId shard, StartPosition position) {
        started.put(shard, position);
    }

    @Override
    public void pause(List<ShardId> shards) {
        paused.addAll(shards);
    }

    @Override
    public void resume(List<ShardId> shards) {
        paused.removeAll(shards);
    }

    @Override
    public void note(Map<ShardId, ShardCheckpoint> progress, Runnable taken) {
        noted.putAll(progress);
        confirmations.add(taken);
    }

    @Override
    public void close() {
        closed = true;
    }
}
