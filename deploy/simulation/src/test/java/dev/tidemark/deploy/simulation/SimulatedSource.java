package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.LogRecord;
import dev.tidemark.worker.consume.ChangeSource;
import dev.tidemark.worker.lifecycle.StartPosition;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

/** A member of the group that gets every partition, gives pieces of random length, and is now and then reassigned. */
final class SimulatedSource implements ChangeSource {
    private final SimulatedLog log;
    private final TableDefinition table;
    private final Chance chance;
    private final Map<ShardId, Long> positions = new HashMap<>();
    private final Set<ShardId> paused = new HashSet<>();
    private final Map<ShardId, HandedBatches> handed;
    private @Nullable Assignment assignment;
    private boolean assigned;

    SimulatedSource(SimulatedLog log, TableDefinition table, Chance chance, Map<ShardId, HandedBatches> handed) {
        this.log = log;
        this.handed = handed;
        this.table = table;
        this.chance = chance;
    }

    @Override
    public void follow(Set<String> tables, Assignment newAssignment) {
        assignment = newAssignment;
    }

    @Override
    public Fetched poll(Duration patience) {
        Assignment told = assignment;
        if (told != null && assigned && chance.faultOneIn(60)) {
            positions.clear();
            told.revoked(shards());
            assigned = false;
        } else if (told != null && !assigned) {
            told.assigned(shards());
            assigned = true;
        }
        Map<ShardId, ChangeBatch> batches = new HashMap<>();
        positions.keySet().stream()
                .filter(id -> !paused.contains(id))
                .sorted()
                .toList()
                .forEach(id -> {
                    ChangeBatch batch = next(id);
                    if (batch != null) {
                        batches.put(id, batch);
                    }
                });
        return new Fetched(batches, Map.of());
    }

    @Override
    public void startAt(ShardId shard, StartPosition position) {
        positions.put(shard, position instanceof StartPosition.At at ? at.offset() : 0L);
    }

    @Override
    public void pause(List<ShardId> shards) {
        paused.addAll(shards);
    }

    @Override
    public void resume(List<ShardId> shards) {
        shards.forEach(paused::remove);
    }

    @Override
    public void note(Map<ShardId, ShardCheckpoint> progress, Runnable taken) {
        taken.run();
    }

    @Override
    public void close() {
        positions.clear();
    }

    private @Nullable ChangeBatch next(ShardId id) {
        SimulatedPartition partition = log.partitions().get(id.partition());
        long from = positions.getOrDefault(id, 0L);
        if (from >= partition.endOffset()) {
            return null;
        }
        int most = 1 + chance.below(12);
        List<LogRecord> records = new ArrayList<>();
        partition.read(from, most).forEach(entry -> records.add(new LogRecord(entry.getKey(), entry.getValue())));
        long next = records.size() < most
                ? partition.endOffset()
                : records.get(records.size() - 1).offset() + 1;
        positions.put(id, next);
        ChangeBatch batch = new ChangeBatch(records, next, OptionalInt.of(0));
        handed.computeIfAbsent(id, unseen -> new HandedBatches()).add(batch);
        return batch;
    }

    private List<ShardId> shards() {
        List<ShardId> all = new ArrayList<>();
        for (int i = 0; i < table.partitions(); i++) {
            all.add(new ShardId(table.name(), i));
        }
        return all;
    }
}
