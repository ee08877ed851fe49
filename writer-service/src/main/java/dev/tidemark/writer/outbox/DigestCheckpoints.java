package dev.tidemark.writer.outbox;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.Heartbeat;
import dev.tidemark.digest.Digest;
import dev.tidemark.writer.commit.DigestCheckpoint;

/**
 * Which mark of the digests is told next, and how. A mark must stand in the log just behind its place in commit order:
 * behind everything up to it, and before everything later. So each is told at its place or never. For the relay alone.
 */
final class DigestCheckpoints {
    private final Supplier<Optional<DigestCheckpoint>> latest;
    private long seen;
    private @Nullable DigestCheckpoint held;

    /**
     * No marks yet.
     *
     * @param latest gives the newest mark; whoever has seen that commit order has come to a place gets one no older than
     *     the newest that was made before that
     */
    DigestCheckpoints(Supplier<Optional<DigestCheckpoint>> latest) {
        this.latest = latest;
    }

    /**
     * The mark to be told next; empty while there is none. To be asked before anything is handed over.
     *
     * @param begun changes up to this sequence have been handed over
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

    /** The mark that was next has been told. */
    void told() {
        held = null;
    }

    /** Marks made so far are not told any more. */
    void pass() {
        seen = latest.get().map(DigestCheckpoint::number).orElse(seen);
        held = null;
    }

    /** A mark as messages, to those partitions of which something is known. */
    List<Publication> heartbeats(DigestCheckpoint mark, Collection<TopicSpec> specs) {
        List<Publication> messages = new ArrayList<>();
        for (TopicSpec spec : specs) {
            for (int partition = 0; partition < spec.partitions(); partition++) {
                SortedMap<Long, Digest> digests = mark.of(spec.table(), partition);
                if (!digests.isEmpty()) {
                    Heartbeat heartbeat =
                            new Heartbeat(mark.at().time(), mark.at().version(), digests);
                    messages.add(new Publication(spec.table(), partition, heartbeat));
                }
            }
        }
        return messages;
    }
}
