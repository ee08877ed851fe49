package dev.tidemark.worker.consume;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;

import org.jspecify.annotations.Nullable;

import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.RetrySchedule;
import dev.tidemark.worker.shard.StartPosition;

/**
 * The position at which one shard is read. It outlives the source: after a source fails, another one continues at this
 * position, and the shard answers queries meanwhile. Belongs to the poll thread.
 */
final class ShardReader {
    /** A partition that failed and then did not fail for this long is well, although no record may have come. */
    private static final Duration TRIAL = Duration.ofSeconds(5);

    private final OpenShard shard;
    private long reading;

    /** The next position to read; null before the shard has given its start position. */
    private @Nullable StartPosition position;

    private boolean assigned = true;

    /** Whether the source must be moved to the position. */
    private boolean toSeek;

    /** An assigned partition is paused until its shard gives a start position. */
    private boolean paused = true;

    /**
     * When a source began to watch the topic again, which may have been recreated before; null once it is known to be
     * the same.
     */
    private @Nullable Instant watchedSince;

    private final RetrySchedule retries = new RetrySchedule();
    private boolean failing;

    ShardReader(OpenShard shard) {
        this.shard = shard;
    }

    OpenShard shard() {
        return shard;
    }

    /** Names the reading that batches are of. */
    long reading() {
        return reading;
    }

    boolean isAssigned() {
        return assigned;
    }

    /**
     * The partition is this worker's again, at a source that knows no position of it, and from now on notices where the
     * topic is recreated.
     */
    void reassigned(Instant now) {
        watchedSince = now;
        assigned = true;
        paused = true;
        toSeek = true;
    }

    /** No source reads the partition from now on. The shard stays. */
    void detached(String reason) {
        assigned = false;
        paused = true;
        shard.unread(reason);
    }

    /** The partition cannot be read at the moment, and its source has paused it. */
    void failed(String reason, Instant now) {
        retries.failed(now);
        failing = true;
        paused = true;
        toSeek = true;
        shard.unread(reason);
    }

    /** The partition cannot be read at its position, so the shard must give a new start position. */
    void broken(String reason) {
        if (toSeek) {
            // The source has not been moved to the position yet, and was at another one.
            return;
        }
        position = null;
        shard.cannotGoOn(reason, reading);
    }

    /** A batch was read; whether it is of the present reading. */
    boolean read(ChangeBatch batch) {
        StartPosition before = position;
        if (!assigned || toSeek || before == null) {
            return false;
        }
        OptionalInt epoch = batch.leaderEpoch().isPresent() ? batch.leaderEpoch() : before.leaderEpoch();
        position = new StartPosition(batch.nextOffset(), epoch);
        recovered();
        return true;
    }

    /**
     * Where the source has to go on; null where it is there already, or the shard is not ready.
     *
     * @param topics whether the topic is known to be the one that was read
     */
    @Nullable
    StartPosition seek(TopicObservation topics, Instant now) {
        OpenShard.Start start = shard.takeStart();
        if (start != null) {
            reading = start.reading();
            position = start.position();
            toSeek = true;
        }
        Instant watched = watchedSince;
        if (watched != null && topics.hasSeen(shard.id().table(), watched) && !shard.isLeaving()) {
            watchedSince = null;
        }
        if (!assigned || !toSeek || watchedSince != null || !retries.isDue(now)) {
            return null;
        }
        StartPosition from = position;
        toSeek = from == null;
        if (from != null && !failing) {
            shard.unread(null);
        }
        return from;
    }

    /**
     * Whether pausing has to change, which it is taken to have done.
     *
     * @param roomy whether there is memory for more than one batch of each shard
     */
    boolean turn(boolean roomy, Instant now) {
        if (failing && !toSeek && retries.isDue(now.minus(TRIAL))) {
            recovered();
        }
        boolean mayRead = position != null && !toSeek && (roomy || shard.isIdle());
        boolean rest = !mayRead || (paused ? !shard.isLow() : shard.isFull());
        if (rest == paused) {
            return false;
        }
        paused = rest;
        return true;
    }

    boolean isPaused() {
        return paused;
    }

    private void recovered() {
        if (failing) {
            failing = false;
            retries.succeeded();
            shard.unread(null);
        }
    }
}
