package dev.tidemark.writer.commit;

import java.time.Duration;

/**
 * Bounds of the committer.
 *
 * @param queuedRequests most requests that wait; beyond it, requests are refused
 * @param queuedBytes most bytes that wait; too small refuses bursts, too large lets the heap fill
 * @param groupCommands a group takes no further request once it has this many commands
 * @param tick how often an idle committer moves its frontier to the present
 */
public record CommitterLimits(int queuedRequests, long queuedBytes, int groupCommands, Duration tick) {
    public CommitterLimits {
        if (queuedRequests < 1 || queuedBytes < 1 || groupCommands < 1 || tick.isNegative() || tick.isZero()) {
            throw new IllegalArgumentException("Expected positive limits, but got " + queuedRequests + ", "
                    + queuedBytes + ", " + groupCommands + ", " + tick);
        }
    }
}
