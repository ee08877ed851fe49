package dev.tidemark.writer.outbox;

import java.util.Optional;

import dev.tidemark.writer.commit.WriteGate;

/** What the relay is doing, for everyone else to see. Written by the relay, read by any thread. */
public final class RelayStatus implements WriteGate {
    private volatile RelayState state = RelayState.of(RelayState.Phase.PREPARING);

    public RelayState state() {
        return state;
    }

    /** Whether it may be long until something is published. */
    public boolean mayBeLong() {
        return state.phase() == RelayState.Phase.WAITING || state.phase() == RelayState.Phase.REFUSED;
    }

    void enter(RelayState next) {
        state = next;
    }

    /** A topic that cannot be used refuses writes: they could never be published. */
    @Override
    public Optional<String> refusal() {
        RelayState now = state;
        return now.phase() == RelayState.Phase.REFUSED ? Optional.of(now.detail()) : Optional.empty();
    }
}
