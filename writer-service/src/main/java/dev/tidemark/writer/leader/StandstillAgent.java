package dev.tidemark.writer.leader;

import dev.tidemark.runtime.Agent;

/**
 * Notices that the process stood still, because it or its machine was suspended. It waits for nothing else, so a log
 * that answers slowly is no standstill.
 */
public final class StandstillAgent implements Agent {
    private final LeaderState state;

    /** An agent that is to run several times within the silence of the state. */
    public StandstillAgent(LeaderState state) {
        this.state = state;
    }

    @Override
    public String roleName() {
        return "standstill";
    }

    /** Always 0, so that the thread rests. */
    @Override
    public int doWork() {
        state.runs();
        return 0;
    }
}
