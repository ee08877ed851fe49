package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.clocks.CommitBound;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * The versions that a shard has read since the last offset up to which the writer confirmed them. If the writer,
 * queried later, has not assigned a version that was read, the shard goes back to that offset and reads on without the
 * records above.
 *
 * <p>This applies only while heartbeats agree with the queried writer: otherwise it may be the writer of another
 * installation. Heartbeats of one writer never go back. If they do, one of them is false, and only the answer counts.
 */
final class UnconfirmedVersions {
    /** Above this number of pieces of the log, the two oldest are merged. */
    private static final int MOST_STRETCHES = 64;

    private final Deque<Stretch> stretches = new ArrayDeque<>();
    private ShardCheckpoint borneOut;
    private RowVersion frontier = RowVersion.NONE;
    private RowVersion furthest = RowVersion.NONE;

    /** Of all that was read, since the shard was opened or went back. */
    private RowVersion newest = RowVersion.NONE;

    /**
     * The lowest version of a heartbeat that followed a higher one; null if there was none since the last confirmation.
     */
    private @Nullable RowVersion lower;

    private @Nullable CommitBound seen;

    /**
     * A piece of the log.
     *
     * @param polledAt when it had been read
     * @param highest the highest version in it
     * @param frontier of the last heartbeat in it or before it
     */
    private record Stretch(ShardCheckpoint end, Instant polledAt, RowVersion highest, RowVersion frontier) {
        Stretch after(Stretch before) {
            return new Stretch(end, polledAt, later(highest, before.highest), frontier);
        }
    }

    /** The position to go back to, and the bound above which versions are refused on the way. */
    record Return(ShardCheckpoint to, VersionCeiling ceiling, RowVersion highest) {
        @Override
        public String toString() {
            return "it has read version " + highest + ", and the writer had given none above " + ceiling.version()
                    + ", so it reads again from offset " + to.nextOffset() + " without what is above";
        }
    }

    /** Nothing was read since the checkpoint. */
    UnconfirmedVersions(ShardCheckpoint from) {
        this.borneOut = from;
    }

    /**
     * Records a piece of the log that was applied.
     *
     * @param frontiers the versions of its heartbeats, in their order
     */
    void add(ShardCheckpoint after, Instant polledAt, RowVersion highest, List<RowVersion> frontiers) {
        frontiers.forEach(this::hear);
        newest = later(newest, highest);
        stretches.addLast(new Stretch(after, polledAt, highest, frontier));
        if (stretches.size() > MOST_STRETCHES) {
            Stretch oldest = stretches.removeFirst();
            stretches.addFirst(stretches.removeFirst().after(oldest));
        }
    }

    private void hear(RowVersion next) {
        if (furthest.isAfter(next)) {
            lower = lower == null || lower.isAfter(next) ? next : lower;
        }
        furthest = later(furthest, next);
        frontier = next;
    }

    /** Whether something newer than a version was read, which a late heartbeat with that version does not cover. */
    boolean isBeyond(RowVersion version) {
        return newest.isAfter(version);
    }

    /**
     * The return that an answer of the writer requires; empty if the answer confirms the versions that were read, or
     * does not cover them.
     */
    Optional<Return> check(CommitBound bound) {
        if (bound.equals(seen)) {
            return Optional.empty();
        }
        seen = bound;
        Stretch last = null;
        while (!stretches.isEmpty() && stretches.getFirst().polledAt().isBefore(bound.until())) {
            Stretch next = stretches.removeFirst();
            last = last == null ? next : next.after(last);
        }
        if (last == null) {
            return Optional.empty();
        }
        if (!last.highest().isAfter(bound.version())) {
            borneOut = last.end();
            forgetHeartbeats();
            return Optional.empty();
        }
        if (last.frontier().isAfter(bound.version()) && !isContradicted(bound.version())) {
            // The next answer may find another heartbeat.
            stretches.addFirst(last);
            return Optional.empty();
        }
        Return back =
                new Return(borneOut, new VersionCeiling(last.end().nextOffset(), bound.version()), last.highest());
        stretches.clear();
        forgetHeartbeats();
        newest = RowVersion.NONE;
        return Optional.of(back);
    }

    /** Whether heartbeats went back, to one that the answer agrees with. */
    private boolean isContradicted(RowVersion given) {
        return lower != null && !lower.isAfter(given);
    }

    private void forgetHeartbeats() {
        furthest = RowVersion.NONE;
        lower = null;
    }

    private static RowVersion later(RowVersion a, RowVersion b) {
        return b.isAfter(a) ? b : a;
    }
}
