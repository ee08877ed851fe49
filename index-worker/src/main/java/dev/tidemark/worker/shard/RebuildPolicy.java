package dev.tidemark.worker.shard;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardOrigin;

/**
 * Whether a shard found on disk can go on from where it is.
 *
 * @param maxAbsence how long a shard may have been away at most; half of what the topic keeps marks of deletes for,
 *     where that is less: beyond it, deletes may have gone from the topic unseen
 */
public record RebuildPolicy(Duration maxAbsence) {
    /**
     * Why a shard is built again.
     *
     * @param wrong whether what is there is wrong or cannot be read; otherwise it answers until the new one has passed
     *     it
     */
    public record Rebuild(String reason, boolean wrong) {}

    /** What clocks differ by at most: a copy bears the time of the worker that it is from. */
    private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

    /** Why the shard must be built again; empty when it can go on. */
    public Optional<Rebuild> reasonToRebuild(
            ShardOrigin found,
            ShardOrigin wanted,
            ShardCheckpoint checkpoint,
            PartitionInfoSource.PartitionInfo topic,
            Instant now) {
        if (!found.topicId().equals(wanted.topicId())) {
            return wrong("its topic was recreated (was " + found.topicId() + ", is " + wanted.topicId() + ")");
        }
        if (!found.table().equals(wanted.table())) {
            return wrong("the table had " + found.table() + " and has " + wanted.table() + " now");
        }
        if (checkpoint.isNew()) {
            return Optional.empty();
        }
        if (checkpoint.nextOffset() > topic.endOffset()) {
            return wrong("it has read up to offset " + checkpoint.nextOffset() + ", but the partition ends at "
                    + topic.endOffset() + " now");
        }
        Instant latest = checkpoint.lastCaughtUp();
        if (latest.equals(Instant.MIN)) {
            // Still on its first way through the topic, which is as good as a new start; but an earlier version stored
            // rows before the first offset without the time, and there is nothing to read again there.
            return checkpoint.nextOffset() == 0
                    ? old("it stopped in the middle of its first records")
                    : Optional.empty();
        }
        Duration absence = Duration.between(latest, now);
        if (latest.isAfter(now.plus(CLOCKS_DIFFER))) {
            // One of the two times is wrong, and the absence is not known.
            return old("it was up to date last at " + latest + ", which is after this clock's " + now);
        }
        if (absence.compareTo(maxAbsence) > 0) {
            return old("it was away for " + absence.toHours() + " h, longer than shard.max.absence of "
                    + maxAbsence.toHours() + " h");
        }
        return topic.deleteRetention()
                .filter(kept -> absence.compareTo(kept.dividedBy(2)) > 0)
                .flatMap(kept -> old("it was away for " + absence.toSeconds()
                        + " s, and its topic keeps marks of deletes for " + kept.toSeconds() + " s only"));
    }

    private static Optional<Rebuild> wrong(String reason) {
        return Optional.of(new Rebuild(reason, true));
    }

    /** What it holds was right when it was read last. */
    private static Optional<Rebuild> old(String reason) {
        return Optional.of(new Rebuild(reason, false));
    }
}
