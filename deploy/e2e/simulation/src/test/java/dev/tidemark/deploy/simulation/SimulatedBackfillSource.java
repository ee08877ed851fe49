package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;

import dev.tidemark.change.WireRecord;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.LogRecord;
import dev.tidemark.worker.apply.PolledBatches;
import dev.tidemark.worker.backfill.BackfillSource;
import dev.tidemark.worker.store.ShardId;

/** Reads the simulated log again, in small pieces, and fails now and then. */
final class SimulatedBackfillSource implements BackfillSource {
    private final SimulatedTopics topics;
    private final RandomSource chance;
    private final BiFunction<ShardId, WireRecord, WireRecord> forgery;
    private final Map<ShardId, Long> positions = new TreeMap<>();
    private final Set<ShardId> resting = new HashSet<>();

    /**
     * A source that reads nothing yet.
     *
     * @param forgery what becomes of each record on its way
     */
    SimulatedBackfillSource(
            SimulatedTopics topics, RandomSource chance, BiFunction<ShardId, WireRecord, WireRecord> forgery) {
        this.topics = topics;
        this.chance = chance;
        this.forgery = forgery;
    }

    @Override
    public void read(Map<ShardId, Long> from) {
        positions.clear();
        positions.putAll(from);
        resting.clear();
    }

    @Override
    public void rest(Collection<ShardId> shards) {
        resting.clear();
        resting.addAll(shards);
    }

    @Override
    public PolledBatches poll(Duration patience, long bytes) {
        if (chance.faultOneIn(40)) {
            throw new IllegalStateException("the brokers are away");
        }
        Map<ShardId, ChangeBatch> batches = new TreeMap<>();
        Map<ShardId, String> gone = new TreeMap<>();
        for (ShardId id : List.copyOf(positions.keySet())) {
            SimulatedPartition partition = topics.partition(id);
            long from = positions.getOrDefault(id, 0L);
            if (from < partition.startOffset()) {
                gone.put(id, "its beginning is gone");
                positions.remove(id);
            } else if (!resting.contains(id) && from < partition.endOffset()) {
                batches.put(id, next(id, partition, from));
            }
        }
        return new PolledBatches(batches, gone, Map.of());
    }

    @Override
    public long startOffset(ShardId shard) {
        return topics.partition(shard).startOffset();
    }

    @Override
    public long endOffset(ShardId shard) {
        return topics.partition(shard).endOffset();
    }

    @Override
    public void close() {
        positions.clear();
    }

    private ChangeBatch next(ShardId id, SimulatedPartition partition, long from) {
        int most = 1 + chance.below(5);
        List<LogRecord> records = new ArrayList<>();
        partition
                .read(from, most)
                .forEach(entry -> records.add(new LogRecord(entry.getKey(), forgery.apply(id, entry.getValue()))));
        long next = records.size() < most
                ? partition.endOffset()
                : records.get(records.size() - 1).offset() + 1;
        positions.put(id, next);
        return new ChangeBatch(records, next, OptionalInt.empty());
    }
}
