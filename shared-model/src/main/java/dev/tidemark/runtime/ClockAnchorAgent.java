package dev.tidemark.runtime;

import java.time.Clock;

/** Keeps the anchor of a clock that moves on by itself after the machine was suspended. */
public final class ClockAnchorAgent implements Agent {
    private final ClockAnchor anchor;
    private final Clock clock;

    /**
     * An agent.
     *
     * @param anchor that has kept the clock before
     */
    public ClockAnchorAgent(ClockAnchor anchor, Clock clock) {
        this.anchor = anchor;
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "clock-anchor";
    }

    @Override
    public int doWork() {
        return anchor.keepIfMoved(clock) ? 1 : 0;
    }
}
