package dev.tidemark.writer.leader;

import java.util.Optional;

import dev.tidemark.writer.outbox.Leadership;

/** Whether this process is the writer of its deployment. Written by {@link LeaderAgent}, read by any thread. */
public final class LeaderState implements Leadership {
    private static final String NOT_ASKED = "it is not known yet whether another writer of this deployment is at work";

    private volatile Optional<String> waitsFor = Optional.of(NOT_ASKED);
    private volatile Optional<String> replacedBy = Optional.empty();
    private volatile boolean takenOver;

    @Override
    public boolean isHeld() {
        return waitsFor.isEmpty() && replacedBy.isEmpty();
    }

    @Override
    public boolean isTakenOver() {
        return takenOver;
    }

    /** Why this process takes no writes; empty when it may. */
    public Optional<String> refusal() {
        return replacedBy.or(() -> waitsFor);
    }

    /** Why this process has to end: another one has taken over; empty while none has. */
    public Optional<String> replaced() {
        return replacedBy;
    }

    void waitFor(String reason) {
        waitsFor = Optional.of(reason);
    }

    /**
     * This process holds the last claim.
     *
     * @param fromElsewhere whether the claim before it was of another data directory
     */
    void lead(boolean fromElsewhere) {
        takenOver = takenOver || fromElsewhere;
        waitsFor = Optional.empty();
    }

    void stop(String reason) {
        replacedBy = Optional.of(reason);
    }
}
