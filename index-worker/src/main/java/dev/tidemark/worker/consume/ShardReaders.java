package dev.tidemark.worker.consume;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.PolledBatches;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.shard.StartPosition;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

/**
 * The readers of the shards of this worker. A shard that no source reads stays open and answers queries, until the
 * group is known to have assigned its partition to another worker. Belongs to the poll thread.
 */
final class ShardReaders {
    private static final Logger LOGGER = LoggerFactory.getLogger(ShardReaders.class);

    /** What is applied at a time is decoded at once, which takes a multiple of it. */
    private static final long LARGEST_PIECE = 1L << 20;

    private final Shards shards;
    private final MemoryBudget.Part memory;
    private final TopicObservation topics;
    private final Clock clock;
    private final Map<ShardId, ShardReader> readers = new TreeMap<>();
    private Instant letGoAt = Instant.MAX;

    ShardReaders(Shards shards, MemoryBudget.Part memory, TopicObservation topics, Clock clock) {
        this.shards = shards;
        this.memory = memory;
        this.topics = topics;
        this.clock = clock;
    }

    /**
     * The group has assigned these partitions to this worker.
     *
     * @param grace how long shards that it has not assigned again may still be queried
     */
    void assigned(Collection<ShardId> ids, Duration grace) {
        for (ShardId id : ids) {
            ShardReader known = readers.get(id);
            if (known != null) {
                known.reassigned(clock.instant());
            } else if (isDefined(id)) {
                readers.put(id, new ShardReader(shards.assign(id)));
            } else {
                LOGGER.warn("Partition {} is not read, because the definitions have no such table or partition", id);
            }
        }
        boolean some = readers.values().stream().anyMatch(reader -> !reader.isAssigned());
        letGoAt = some ? clock.instant().plus(grace) : Instant.MAX;
    }

    /** Whether there is such a shard. A topic to which partitions were added has rows in none of those. */
    private boolean isDefined(ShardId id) {
        return shards.definitions()
                .table(id.table())
                .filter(table -> id.partition() < table.definition().partitions())
                .isPresent();
    }

    /** The partitions are another worker's from now on. */
    void revoked(Collection<ShardId> ids) {
        for (ShardId id : ids) {
            readers.remove(id);
            shards.revoke(id);
        }
    }

    /** All partitions are another worker's from now on. */
    void revokeAll() {
        revoked(Set.copyOf(readers.keySet()));
    }

    /** No source reads these partitions from now on. */
    void detached(Collection<ShardId> ids, String reason) {
        ids.forEach(id -> reader(id).ifPresent(reader -> reader.detached(reason)));
    }

    /** No source reads any partition from now on. */
    void detachAll(String reason) {
        detached(Set.copyOf(readers.keySet()), reason);
        letGoAt = Instant.MAX;
    }

    /**
     * Moves the source to the start positions of shards, and pauses and resumes partitions by how much waits for their
     * shards.
     *
     * @param roomy whether there is memory for more than one batch of each shard
     * @return whether a reading was started
     */
    boolean steer(ChangeSource open, boolean roomy) {
        Instant now = clock.instant();
        letGo(now);
        boolean started = false;
        List<ShardId> pause = new ArrayList<>();
        List<ShardId> resume = new ArrayList<>();
        for (Map.Entry<ShardId, ShardReader> entry : readers.entrySet()) {
            ShardReader reader = entry.getValue();
            StartPosition from = reader.seek(topics, now);
            if (from != null) {
                open.startAt(entry.getKey(), from);
                started = true;
            }
            if (reader.isAssigned() && reader.turn(roomy, now)) {
                (reader.isPaused() ? pause : resume).add(entry.getKey());
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

    /** Processes the result of a poll. */
    void take(PolledBatches fetched) {
        fetched.batches().forEach((id, batch) -> {
            ShardReader reader = readers.get(id);
            if (reader != null && reader.read(batch)) {
                for (ChangeBatch piece : batch.pieces(LARGEST_PIECE)) {
                    MemoryBudget.Reservation held = memory.reserve(piece.heldBytes());
                    reader.shard().offer(piece, reader.reading(), held::close);
                }
            }
        });
        fetched.broken().forEach((id, reason) -> reader(id).ifPresent(reader -> reader.broken(reason)));
        fetched.failed().forEach((id, reason) -> {
            LOGGER.warn("Partition {} cannot be read, and is tried again later: {}", id, reason);
            reader(id).ifPresent(reader -> reader.failed(reason, clock.instant()));
        });
    }

    private Optional<ShardReader> reader(ShardId id) {
        return Optional.ofNullable(readers.get(id));
    }

    /** How far the shards are whose partitions are this worker's. */
    Map<ShardId, ShardCheckpoint> progress() {
        Map<ShardId, ShardCheckpoint> progress = new TreeMap<>();
        // One that has read nothing yet too: what a worker before it noted does not hold any more.
        readers.forEach((id, reader) -> {
            if (reader.isAssigned()) {
                OpenShard shard = reader.shard();
                shard.status().ifPresent(status -> progress.put(id, status.checkpoint()));
            }
        });
        return progress;
    }

    boolean isEmpty() {
        return readers.isEmpty();
    }

    private void letGo(Instant now) {
        if (now.isBefore(letGoAt)) {
            return;
        }
        letGoAt = Instant.MAX;
        List<ShardId> gone = readers.entrySet().stream()
                .filter(entry -> !entry.getValue().isAssigned())
                .map(Map.Entry::getKey)
                .toList();
        LOGGER.info("The group has not given back {}", gone);
        revoked(gone);
    }
}
