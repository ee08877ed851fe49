package dev.tidemark.worker.shard;

import java.time.Instant;
import java.util.Optional;

import dev.tidemark.progress.Progress;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;

/**
 * What a shard was before it had to be built again. It is right as of its watermark, so it answers, as old as it is,
 * until the one that is built has passed it. For any thread.
 */
final class KeptShard {
    private final ShardStore store;
    private final ShardStatus status;

    KeptShard(ShardStore store) {
        this.store = store;
        this.status = new ShardStatus(store.checkpoint(), true);
    }

    /** Whether a shard can answer anything that is worth being kept. */
    static boolean isWorth(ShardCheckpoint checkpoint) {
        return checkpoint.progress().isWhole()
                && checkpoint.generations().keySet().stream().anyMatch(checkpoint::serves);
    }

    /** Whether that is what it was built from. */
    boolean isFrom(ShardOrigin origin) {
        return store.origin().equals(origin);
    }

    /** As it was when it was kept; behind the end of its log. */
    ShardStatus status() {
        return status;
    }

    /** A view of it. */
    OpenShard.ShardSnapshot read() {
        return new OpenShard.ShardSnapshot(status, store.view());
    }

    /**
     * Whether a shard answers everything that this one does, and is no older. Times of two epochs are not compared: the
     * clock may have gone back in between.
     */
    boolean isPassedBy(ShardStatus other) {
        Progress before = status.checkpoint().progress();
        Progress now = other.checkpoint().progress();
        Optional<Instant> least = before.watermark();
        boolean isOfLaterEpoch = now.through().epoch() > before.through().epoch();
        return !other.restoring()
                && now.isWhole()
                && (isOfLaterEpoch
                        || now.watermark()
                                .filter(time -> time.isBefore(least.orElse(Instant.MIN)))
                                .isEmpty())
                && now.covers(before.through())
                && status.checkpoint().generations().keySet().stream()
                        .filter(status.checkpoint()::serves)
                        .flatMap(id -> other.checkpoint().generation(id).stream())
                        .allMatch(KeptShard::isDecided);
    }

    private static boolean isDecided(GenerationStatus generation) {
        return generation.serves() || generation.phase() instanceof GenerationState.Degraded;
    }

    /** Closes it, after its views. */
    void close() {
        store.close();
    }
}
