package dev.tidemark.writer.outbox;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.writer.commit.DigestCheckpoint;

/**
 * Selects the digest checkpoint to publish next, and encodes it as heartbeats. A checkpoint must stand in the log just
 * behind its commit position: behind everything up to it, and before everything later. So each is published at its
 * position or never. For the relay alone.
 */
final class DigestCheckpoints {
    private final Supplier<Optional<DigestCheckpoint>> latest;
    private long seen;
    private @Nullable DigestCheckpoint held;

    /**
     * No checkpoints yet.
     *
     * @param latest supplies the newest checkpoint; once a caller has seen commit order reach a position, it returns
     *     one no older than the newest that was made before that
     */
    DigestCheckpoints(Supplier<Optional<DigestCheckpoint>> latest) {
        this.latest = latest;
    }

    /**
     * Returns the checkpoint to publish next; empty while there is none. The relay calls it before it sends any further
     * change.
     *
     * @param begun changes up to this sequence have been sent
     */
    Optional<DigestCheckpoint> next(long begun) {
        if (held == null) {
            Optional<DigestCheckpoint> newest = latest.get().filter(mark -> mark.number() > seen);
            seen = newest.map(DigestCheckpoint::number).orElse(seen);
            held = newest.filter(mark -> mark.at().version().sequence() >= begun)
                    .orElse(null);
        }
        return Optional.ofNullable(held);
    }

    /** The checkpoint that {@link #next} returned has been published. */
    void told() {
        held = null;
    }

    /** Drops the checkpoints made so far. */
    void pass() {
        seen = latest.get().map(DigestCheckpoint::number).orElse(seen);
        held = null;
    }

    /** Encodes a checkpoint as messages, to those partitions of which a digest is known. */
    List<Publication> heartbeats(DigestCheckpoint mark, Collection<TableDefinition> specs) {
        return Publication.heartbeats(
                specs,
                shard -> Optional.of(mark.of(shard.table(), shard.partition()))
                        .filter(digests -> !digests.isEmpty())
                        .map(digests ->
                                new Heartbeat(mark.at().time(), mark.at().version(), digests)));
    }
}
