package dev.tidemark.worker.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.PolledBatches;
import dev.tidemark.worker.backfill.BackfillSource;
import dev.tidemark.worker.store.ShardId;

/** Reads a log again, so many records at a time. Knows where it was told to begin. */
public final class InMemoryBackfillSource implements BackfillSource {
    private final ChangeLog log;
    private int most;
    private final Map<ShardId, Long> positions = new TreeMap<>();
    private final Set<ShardId> resting = new HashSet<>();
    private final List<Long> begun = new ArrayList<>();

    public InMemoryBackfillSource(ChangeLog log, int most) {
        this.log = log;
        this.most = most;
    }

    /** Reads so many records at a time from now on. */
    public void atATime(int records) {
        most = records;
    }

    /** The offsets at which readings began, in their order. */
    public List<Long> begun() {
        return begun;
    }

    @Override
    public void read(Map<ShardId, Long> from) {
        positions.clear();
        positions.putAll(from);
        begun.addAll(from.values());
    }

    @Override
    public void rest(Collection<ShardId> shards) {
        resting.clear();
        resting.addAll(shards);
    }

    @Override
    public PolledBatches poll(Duration patience, long bytes) {
        Map<ShardId, ChangeBatch> batches = new TreeMap<>();
        positions.forEach((id, from) -> {
            if (!resting.contains(id) && from < log.end()) {
                batches.put(id, log.read(from, most));
            }
        });
        batches.forEach((id, batch) -> positions.put(id, batch.nextOffset()));
        return new PolledBatches(batches, Map.of(), Map.of());
    }

    @Override
    public long startOffset(ShardId shard) {
        return 0;
    }

    @Override
    public long endOffset(ShardId shard) {
        return log.end();
    }

    @Override
    public void close() {
        positions.clear();
    }
}
