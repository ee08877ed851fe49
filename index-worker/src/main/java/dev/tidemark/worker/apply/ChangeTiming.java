package dev.tidemark.worker.apply;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Changes that stand side by side and say the same of when they were committed and handed over. One group commit makes
 * many of them, so they are counted rather than listed.
 *
 * @param handover the header as it came; null where there was none
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
