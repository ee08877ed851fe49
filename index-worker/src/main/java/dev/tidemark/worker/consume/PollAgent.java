package dev.tidemark.worker.consume;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.Agent;
import dev.tidemark.worker.apply.PolledBatches;
import dev.tidemark.worker.shard.Lease;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

/**
 * Reads from Kafka and passes batches to the shards, pausing partitions whose shards cannot keep up. If the source
 * fails, the agent opens another one. The shards stay open meanwhile: they answer queries and report their staleness.
 * Owns the source.
 */
public final class PollAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(PollAgent.class);
    private static final Duration PATIENCE = Duration.ofMillis(50);
    private static final long LARGEST_POLL = 16L << 20;
    private static final Duration NOTE_EVERY = Duration.ofMillis(500);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    /**
     * A group may not call back at all when nothing changes for this member; after this time the assignment is settled.
     */
    private static final Duration SETTLED_AFTER = Duration.ofSeconds(10);

    private final Supplier<ChangeSource> sources;
    private final Supplier<Set<String>> tables;
    private final MemoryBudget.Part memory;
    private final Lease lease;
    private final Clock clock;
    private final ShardReaders readers;
    private Membership membership = new Membership();
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
     * @param topics knows whether a shard may continue after a time in which no source watched its topic
     * @param memory reserves memory for the batches that wait for shards
     * @param lease notified that the process runs, that the group accepted a report, or that it removed this worker
     */
    public PollAgent(
            Supplier<ChangeSource> sources,
            Supplier<Set<String>> tables,
            TopicObservation topics,
            Shards shards,
            MemoryBudget.Part memory,
            Lease lease,
            Clock clock) {
        this.sources = sources;
        this.tables = tables;
        this.lease = lease;
        this.clock = clock;
        this.memory = memory;
        this.readers = new ShardReaders(shards, memory, topics, clock);
        this.noted = clock.instant();
    }

    @Override
    public String roleName() {
        return "poll";
    }

    /** Whether the group has assigned the partitions of all tables. For any thread. */
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
            LOGGER.warn("Reading from Kafka failed; another client tries in {} s", PAUSE_AFTER_FAILURE.toSeconds(), e);
            nextAttempt = clock.instant().plus(PAUSE_AFTER_FAILURE);
            readers.detachAll("reading from Kafka failed: " + e.getMessage());
            closeSource();
            return 1;
        }
    }

    /** Leaves the group, and lets the shards finish the batch under way. */
    @Override
    public void onClose() {
        ChangeSource open = source;
        if (open != null) {
            noteQuietly(open);
        }
        closeSource();
        readers.revokeAll();
    }

    private int step(Set<String> wanted) {
        ChangeSource open = source;
        if (open == null) {
            open = sources.get();
            source = open;
            membership = new Membership();
            followed = Set.of();
        }
        if (!wanted.equals(followed)) {
            LOGGER.info("Following the tables {}", wanted);
            if (readers.isEmpty() || !followed.isEmpty()) {
                unsettledUntil = clock.instant().plus(SETTLED_AFTER);
            }
            open.follow(wanted, membership);
            followed = wanted;
        }
        PolledBatches fetched = poll(open);
        readers.take(fetched);
        noteIfDue(open);
        // The poll has waited for work already; a rest on top would only keep the next records waiting.
        return Math.max(1, fetched.batches().size());
    }

    /** Takes as much as there is memory for; where there is none, a record for those shards that have nothing to do. */
    private PolledBatches poll(ChangeSource open) {
        Optional<MemoryBudget.Reservation> room = memory.tryReserve(Math.min(LARGEST_POLL, memory.limit() / 4));
        try {
            if (readers.steer(open, room.isPresent())) {
                // What was noted of the partition is of another worker, which may have been ahead of this one.
                note(open);
            }
            // While it polls, the client holds each record twice.
            return open.poll(PATIENCE, room.map(held -> held.bytes() / 2).orElse(1L));
        } finally {
            room.ifPresent(MemoryBudget.Reservation::close);
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
        Map<ShardId, ShardCheckpoint> progress = readers.progress();
        if (!progress.isEmpty()) {
            Instant asked = clock.instant();
            open.note(progress, () -> lease.confirmed(asked));
        }
    }

    private void noteQuietly(ChangeSource open) {
        try {
            note(open);
        } catch (RuntimeException e) {
            LOGGER.debug("The last note for onlookers failed", e);
        }
    }

    private void closeSource() {
        ChangeSource open = source;
        source = null;
        // Callbacks of the source while it leaves the group concern the source, and not the shards.
        membership.isOver = true;
        if (open != null) {
            try {
                open.close();
            } catch (RuntimeException e) {
                LOGGER.warn("Leaving the consumer group failed", e);
            }
        }
    }

    /** The callbacks of the group to one source. */
    private final class Membership implements ChangeSource.Assignment {
        private boolean isOver;

        @Override
        public void assigned(Collection<ShardId> ids) {
            if (!isOver) {
                LOGGER.info("Assigned {}", ids);
                unsettledUntil = clock.instant();
                readers.assigned(ids, lease.length());
            }
        }

        @Override
        public void revoked(Collection<ShardId> ids) {
            if (!isOver) {
                LOGGER.info("Revoked {}", ids);
                readers.revoked(ids);
            }
        }

        @Override
        public void lost(Collection<ShardId> ids) {
            if (!isOver) {
                LOGGER.warn(
                        "The group has struck this worker off; it joins again and answers as long as its lease allows");
                lease.lost();
                readers.detached(ids, "the consumer group has struck this worker off");
            }
        }

        @Override
        public void runs() {
            lease.beat();
        }
    }
}
