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
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.WireRecord;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.LogRecord;
import dev.tidemark.worker.consume.ChangeSource;
import dev.tidemark.worker.lifecycle.StartPosition;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

/**
 * A member of the group that gets every partition, gives pieces of random length, and is now and then reassigned or struck off. Now and
 * then a poll fails, for one partition or for good.
 */
final class SimulatedSource implements ChangeSource {
    private final SimulatedLog log;
    private final TableDefinition table;
    private final Chance chance;
    private final Map<ShardId, Long> positions = new HashMap<>();
    private final Map<ShardId, Integer> epochs = new HashMap<>();
    private final Map<ShardId, Long> passed = new HashMap<>();
    private final Set<ShardId> paused = new HashSet<>();
    private final Map<ShardId, HandedBatches> handed;
    private @Nullable Assignment assignment;
    private final Rule broken;
    private boolean assigned;
    private String topicId = "";

    SimulatedSource(
            SimulatedLog log, TableDefinition table, Chance chance, Map<ShardId, HandedBatches> handed, Rule broken) {
        this.broken = broken;
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
    public Fetched poll(Duration patience, long bytes) {
        Assignment told = assignment;
        if (assigned && chance.faultOneIn(90)) {
            throw new IllegalStateException("the credentials have expired");
        }
        if (told != null && assigned && (isTopicGone() || chance.faultOneIn(60))) {
            positions.clear();
            if (isTopicGone() || chance.oneIn(2)) {
                told.revoked(shards());
            } else {
                told.lost(shards());
            }
            assigned = false;
        } else if (told != null && !assigned) {
            topicId = log.topicId();
            told.assigned(shards());
            assigned = true;
        }
        Map<ShardId, String> lost = lost();
        if (!lost.isEmpty()) {
            return new Fetched(Map.of(), lost, Map.of());
        }
        if (!positions.isEmpty() && chance.faultOneIn(60)) {
            return new Fetched(Map.of(), Map.of(), Map.of(fail(), "a damaged batch"));
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
        return Fetched.of(batches);
    }

    /** One of the partitions cannot be read; it gives nothing before it is started again. */
    private ShardId fail() {
        ShardId id = chance.pick(positions.keySet().stream().sorted().toList());
        if (broken == Rule.A_FAILED_READ_PASSES_NOTHING) {
            passed.put(id, log.partitions().get(id.partition()).endOffset());
        }
        positions.remove(id);
        return id;
    }

    @Override
    public void startAt(ShardId shard, StartPosition position) {
        Long beyond = passed.remove(shard);
        positions.put(shard, beyond == null ? position.offset() : Math.max(beyond, position.offset()));
        epochs.put(
                shard,
                position.leaderEpoch()
                        .orElse(log.partitions().get(shard.partition()).leaderEpoch()));
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

    /** The partitions of a topic that is gone leave the group, and come anew with the new one. */
    private boolean isTopicGone() {
        return broken != Rule.A_TOPIC_HAS_AN_IDENTITY && !topicId.equals(log.topicId());
    }

    /** Shards that have read what the log has lost since. */
    private Map<ShardId, String> lost() {
        Map<ShardId, String> lost = new HashMap<>();
        positions.forEach((id, position) -> {
            SimulatedPartition partition = log.partitions().get(id.partition());
            if (position > 0 && partition.hasLost(position, epochs.getOrDefault(id, 0))) {
                lost.put(id, "the log was truncated below what it has read");
            } else if (position < partition.startOffset() && broken == Rule.GONE_RECORDS_ARE_NOT_PASSED_OVER) {
                positions.put(id, partition.startOffset());
            } else if (position < partition.startOffset()) {
                lost.put(id, "the offset to go on from is no longer in the log");
            }
        });
        if (broken == Rule.A_LOST_PLACE_MEANS_A_REBUILD) {
            lost.keySet().forEach(id -> {
                SimulatedPartition partition = log.partitions().get(id.partition());
                long position = Math.min(positions.getOrDefault(id, 0L), partition.endOffset());
                positions.put(id, Math.max(position, partition.startOffset()));
                epochs.put(id, partition.leaderEpoch());
            });
            return Map.of();
        }
        positions.keySet().removeAll(lost.keySet());
        return lost;
    }

    private @Nullable ChangeBatch next(ShardId id) {
        SimulatedPartition partition = log.partitions().get(id.partition());
        long from = positions.getOrDefault(id, 0L);
        if (from >= partition.endOffset()) {
            return null;
        }
        int most = 1 + chance.below(12);
        List<LogRecord> records = new ArrayList<>();
        List<Map.Entry<Long, WireRecord>> read = partition.read(from, most);
        read.stream()
                .filter(entry -> broken != Rule.DELETES_ARE_CHANGES || !isDelete(entry.getValue()))
                .forEach(entry -> records.add(new LogRecord(entry.getKey(), entry.getValue())));
        long next = read.size() < most
                ? partition.endOffset()
                : read.get(read.size() - 1).getKey() + 1;
        positions.put(id, next);
        epochs.put(id, partition.leaderEpoch());
        ChangeBatch batch = new ChangeBatch(records, next, OptionalInt.of(partition.leaderEpoch()));
        handed.computeIfAbsent(id, unseen -> new HandedBatches()).add(batch);
        return batch;
    }

    private static boolean isDelete(WireRecord record) {
        return String.valueOf(record.headers().get(ChangeCodec.TYPE)).endsWith(".deleted");
    }

    private List<ShardId> shards() {
        List<ShardId> all = new ArrayList<>();
        for (int i = 0; i < table.partitions(); i++) {
            all.add(new ShardId(table.name(), i));
        }
        return all;
    }
}
