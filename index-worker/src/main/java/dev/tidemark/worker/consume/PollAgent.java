package dev.tidemark.worker.consume;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.runtime.Agent;
import dev.tidemark.worker.lifecycle.Lease;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.lifecycle.Shards;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

/** Reads from Kafka and hands over to the shards, pausing those that cannot keep up. Owns the source. */
public final class PollAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(PollAgent.class);
    private static final Duration PATIENCE = Duration.ofMillis(50);
    private static final Duration NOTE_EVERY = Duration.ofMillis(500);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    /** A group that has nothing to tell this member may not call back at all. */
    private static final Duration SETTLED_AFTER = Duration.ofSeconds(10);

    private final Supplier<ChangeSource> sources;
    private final Supplier<Set<String>> tables;
    private final Shards shards;
    private final Lease lease;
    private final Clock clock;
    private final Map<ShardId, Reader> readers = new TreeMap<>();
    private final ChangeSource.Assignment assignment = new Readers();
    private @Nullable ChangeSource source;
    private volatile Set<String> followed = Set.of();
    private Instant nextAttempt = Instant.MIN;
    private Instant noted;
    private volatile Instant unsettledUntil = Instant.MAX;

    /**
     * An agent that reads nothing yet.
     *
     * @param sources opens another member of the group
     * @param tables gives the tables to follow at the moment
     * @param lease told that the process runs, and when the group has confirmed the assignment
     */
    public PollAgent(
            Supplier<ChangeSource> sources, Supplier<Set<String>> tables, Shards shards, Lease lease, Clock clock) {
        this.sources = sources;
        this.tables = tables;
        this.shards = shards;
        this.lease = lease;
        this.clock = clock;
        this.noted = clock.instant();
    }

    @Override
    public String roleName() {
        return "poll";
    }

    /** Whether the group has said which partitions of all tables are this worker's. For any thread. */
    public boolean isSettled() {
        return !clock.instant().isBefore(unsettledUntil) && followed.containsAll(tables.get());
    }

    @Override
    public int doWork() {
        lease.beat();
        Set<String> wanted = tables.get();
        if (clock.instant().isBefore(nextAttempt) || (wanted.isEmpty() && source == null)) {
            return 0;
        }
        try {
            return step(wanted);
        } catch (RuntimeException e) {
            LOGGER.warn("Reading from Kafka failed and begins anew in {} s", PAUSE_AFTER_FAILURE.toSeconds(), e);
            nextAttempt = clock.instant().plus(PAUSE_AFTER_FAILURE);
            closeSource();
            return 1;
        }
    }

    /** Lets the shards finish the batch under way, and leaves the group. */
    @Override
    public void onClose() {
        closeSource();
    }

    private int step(Set<String> wanted) {
        ChangeSource open = source;
        if (open == null) {
            open = sources.get();
            source = open;
            followed = Set.of();
        }
        if (!wanted.equals(followed)) {
            LOGGER.info("Following the tables {}", wanted);
            unsettledUntil = clock.instant().plus(SETTLED_AFTER);
            open.follow(wanted, assignment);
            followed = wanted;
        }
        if (steer(open)) {
            // What was noted of the partition is of another worker, which may have been ahead of this one.
            note(open);
        }
        ChangeSource.Fetched fetched = open.poll(PATIENCE);
        fetched.batches().forEach((id, batch) -> {
            Reader reader = readers.get(id);
            if (reader != null) {
                reader.shard.offer(batch, reader.reading);
            }
        });
        fetched.broken().forEach(this::rebuild);
        noteIfDue(open);
        // The poll has waited for work already; a rest on top would only keep the next records waiting.
        return Math.max(1, fetched.batches().size());
    }

    /**
     * Starts readings that were asked for; pauses and resumes the others by how full their mailboxes are.
     *
     * @return whether a reading was started
     */
    private boolean steer(ChangeSource open) {
        boolean started = false;
        List<ShardId> pause = new ArrayList<>();
        List<ShardId> resume = new ArrayList<>();
        for (Map.Entry<ShardId, Reader> entry : readers.entrySet()) {
            ShardId id = entry.getKey();
            Reader reader = entry.getValue();
            LiveShard.Start start = reader.shard.takeStart();
            if (start != null) {
                reader.reading = start.reading();
                open.startAt(id, start.position());
                started = true;
            }
            if (reader.paused ? reader.shard.isLow() : reader.shard.isFull()) {
                reader.paused = !reader.paused;
                (reader.paused ? pause : resume).add(id);
            }
        }
        if (!pause.isEmpty()) {
            open.pause(pause);
        }
        if (!resume.isEmpty()) {
            open.resume(resume);
        }
        return started;
    }

    private void rebuild(ShardId id, String reason) {
        Reader reader = readers.get(id);
        if (reader != null) {
            reader.shard.requestRebuild(reason);
        }
    }

    private void noteIfDue(ChangeSource open) {
        Instant now = clock.instant();
        if (Duration.between(noted, now).compareTo(NOTE_EVERY) >= 0) {
            noted = now;
            note(open);
        }
    }

    private void note(ChangeSource open) {
        Map<ShardId, ShardCheckpoint> progress = new TreeMap<>();
        // One that has read nothing yet too: what a worker before it noted does not hold any more.
        readers.forEach(
                (id, reader) -> reader.shard.status().ifPresent(status -> progress.put(id, status.checkpoint())));
        if (!progress.isEmpty()) {
            Instant asked = clock.instant();
            open.note(progress, () -> lease.confirmed(asked));
        }
    }

    private void closeSource() {
        ChangeSource open = source;
        source = null;
        if (open == null) {
            return;
        }
        try {
            note(open);
            open.close();
        } catch (RuntimeException e) {
            LOGGER.warn("Leaving the consumer group failed", e);
        }
        if (!readers.isEmpty()) {
            assignment.revoked(List.copyOf(readers.keySet()));
        }
    }

    /** What is known of an assigned partition. */
    private static final class Reader {
        private final LiveShard shard;
        private long reading;

        /** An assigned partition is paused until its shard says where to start. */
        private boolean paused = true;

        Reader(LiveShard shard) {
            this.shard = shard;
        }
    }

    /** Opens and closes shards as partitions come and go. */
    private final class Readers implements ChangeSource.Assignment {
        @Override
        public void assigned(Collection<ShardId> ids) {
            LOGGER.info("Assigned {}", ids);
            unsettledUntil = clock.instant();
            ids.forEach(id -> readers.put(id, new Reader(shards.assign(id))));
        }

        @Override
        public void revoked(Collection<ShardId> ids) {
            LOGGER.info("Revoked {}", ids);
            for (ShardId id : ids) {
                readers.remove(id);
                shards.revoke(id);
            }
        }
    }
}
