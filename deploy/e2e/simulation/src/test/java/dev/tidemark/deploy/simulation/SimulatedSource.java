package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.WireRecord;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.LogRecord;
import dev.tidemark.worker.apply.PolledBatches;
import dev.tidemark.worker.consume.ChangeSource;
import dev.tidemark.worker.group.WorkerIdentity;
import dev.tidemark.worker.shard.StartPosition;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

/**
 * A member of the group that gets what the group gives it, gives pieces of random length, and is now and then struck
 * off. Now and then a poll fails, for one partition or for good.
 */
final class SimulatedSource implements ChangeSource {
    private final SimulatedTopics topics;
    private final SimulatedGroup group;
    private final int member;
    private final WorkerIdentity self;
    private final RandomSource chance;
    private final Map<ShardId, Long> positions = new HashMap<>();
    private final Map<ShardId, Integer> epochs = new HashMap<>();
    private final Map<ShardId, Long> passed = new HashMap<>();
    private final Set<ShardId> paused = new HashSet<>();
    private final Map<ShardId, SubmittedBatches> handed;
    private final Rule broken;

    /** The shards that this member believes to have, each with the topic that it was in. */
    private final Map<ShardId, String> assigned = new HashMap<>();

    /** What to tell when the group's answers to notes come. */
    private final List<Runnable> taken = new ArrayList<>();

    private @Nullable Assignment assignment;

    /** Whether the group has not said yet what is this member's, which may be nothing. */
    private boolean joins = true;

    /** A new member under a number; whoever had it is struck off. */
    SimulatedSource(
            SimulatedTopics topics,
            SimulatedGroup group,
            int member,
            WorkerIdentity self,
            RandomSource chance,
            Map<ShardId, SubmittedBatches> handed,
            Rule broken) {
        this.topics = topics;
        this.group = group;
        this.member = member;
        this.self = self;
        this.broken = broken;
        this.handed = handed;
        this.chance = chance;
        group.give(group.heldBy(member));
    }

    @Override
    public void follow(Set<String> tables, Assignment newAssignment) {
        assignment = newAssignment;
        group.follow(member, tables);
    }

    @Override
    public PolledBatches poll(Duration patience, long bytes) {
        if (!assigned.isEmpty() && chance.faultOneIn(90)) {
            chance.meet(CoveragePoint.A_CLIENT_FAILED);
            throw new IllegalStateException("the credentials have expired");
        }
        taken.forEach(Runnable::run);
        taken.clear();
        Assignment told = assignment;
        if (told != null) {
            rebalance(told);
        }
        Map<ShardId, String> lost = lost();
        if (!lost.isEmpty()) {
            return new PolledBatches(Map.of(), lost, Map.of());
        }
        Map<ShardId, String> failed = Map.of();
        if (!positions.isEmpty() && chance.faultOneIn(60)) {
            chance.meet(CoveragePoint.A_PARTITION_COULD_NOT_BE_READ);
            failed = Map.of(fail(), "a damaged batch");
        }
        Map<ShardId, ChangeBatch> batches = new HashMap<>();
        for (ShardId id : new TreeSet<>(positions.keySet())) {
            ChangeBatch batch = paused.contains(id) ? null : next(id);
            if (batch != null) {
                batches.put(id, batch);
            }
        }
        return new PolledBatches(batches, Map.of(), failed);
    }

    /**
     * What the group says in a poll: that this member was struck off, else what goes, and in the next poll what comes.
     */
    private void rebalance(Assignment told) {
        if (!assigned.isEmpty() && chance.faultOneIn(60)) {
            group.strikeOff(member);
        }
        Set<ShardId> mine = group.heldBy(member);
        Set<ShardId> gone = new TreeSet<>(assigned.keySet());
        gone.removeIf(shard -> mine.contains(shard) && !isTopicGone(shard));
        boolean isStruckOff = !mine.containsAll(assigned.keySet());
        Set<ShardId> toGive = group.toGive(member);
        if (isStruckOff) {
            chance.meet(CoveragePoint.A_MEMBER_WAS_STRUCK_OFF);
            drop(gone);
            told.lost(gone);
            group.give(mine);
            joins = true;
            Set<ShardId> rest = new TreeSet<>(assigned.keySet());
            drop(rest);
            told.lost(rest);
        } else if (!gone.isEmpty() || !toGive.isEmpty()) {
            gone.addAll(toGive);
            drop(gone);
            told.revoked(gone);
            group.give(gone);
        } else {
            Set<ShardId> came = group.take(member);
            if (joins || !came.isEmpty()) {
                joins = false;
                came.forEach(
                        shard -> assigned.put(shard, topics.of(shard.table()).topicId()));
                if (broken != Rule.A_NOTE_ENDS_WITH_ITS_OWNER) {
                    group.withdraw(came);
                }
                told.assigned(came);
            }
        }
    }

    private void drop(Set<ShardId> shards) {
        shards.forEach(assigned::remove);
        shards.forEach(positions::remove);
        shards.forEach(paused::remove);
    }

    /** One of the partitions cannot be read; it gives nothing before it is started again. */
    private ShardId fail() {
        ShardId id = chance.pick(positions.keySet().stream().sorted().toList());
        if (broken == Rule.A_FAILED_READ_PASSES_NOTHING) {
            passed.put(id, topics.partition(id).endOffset());
        }
        positions.remove(id);
        return id;
    }

    @Override
    public void startAt(ShardId shard, StartPosition position) {
        Long beyond = passed.remove(shard);
        positions.put(shard, beyond == null ? position.offset() : Math.max(beyond, position.offset()));
        epochs.put(shard, position.leaderEpoch().orElse(topics.partition(shard).leaderEpoch()));
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
    public void note(Map<ShardId, ShardCheckpoint> progress, Runnable whenTaken) {
        Map<ShardId, String> texts = new HashMap<>();
        progress.forEach(
                (shard, checkpoint) -> texts.put(shard, self.note(checkpoint).toString()));
        texts.keySet().retainAll(assigned.keySet());
        if (!texts.isEmpty() && (group.isAlone() || !chance.faultOneIn(20)) && group.note(member, texts)) {
            taken.add(whenTaken);
        }
    }

    @Override
    public void close() {
        positions.clear();
        group.give(group.heldBy(member));
    }

    /** The partitions of a topic that is gone leave the group, and come anew with the new one. */
    private boolean isTopicGone(ShardId shard) {
        return broken != Rule.A_TOPIC_HAS_AN_IDENTITY
                && !topics.of(shard.table()).topicId().equals(assigned.get(shard));
    }

    /** Shards that have read what the log has lost since. */
    private Map<ShardId, String> lost() {
        Map<ShardId, String> lost = new HashMap<>();
        positions.forEach((id, position) -> {
            SimulatedPartition partition = topics.partition(id);
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
                SimulatedPartition partition = topics.partition(id);
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
        SimulatedPartition partition = topics.partition(id);
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
        handed.computeIfAbsent(id, unseen -> new SubmittedBatches()).add(batch);
        return batch;
    }

    private static boolean isDelete(WireRecord record) {
        return String.valueOf(record.headers().get(ChangeCodec.TYPE)).endsWith(".deleted");
    }
}
