package dev.tidemark.worker.apply;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Adjacent changes with the same commit time and the same time of publishing. One group commit creates many of them, so
 * they are counted and not listed.
 *
 * @param handover the header as received; null where there was none
 */
record ChangeTiming(Instant committedAt, @Nullable String handover, int changes) {
    boolean isLike(Instant otherCommit, @Nullable String otherHandover) {
        return committedAt.equals(otherCommit)
                && (handover == null ? otherHandover == null : handover.equals(otherHandover));
    }

    ChangeTiming andOneMore() {
        return new ChangeTiming(committedAt, handover, changes + 1);
    }
}
