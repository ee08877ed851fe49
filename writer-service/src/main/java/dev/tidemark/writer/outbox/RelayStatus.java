package dev.tidemark.writer.outbox;

import java.util.Optional;

import dev.tidemark.writer.commit.WriteGate;

/** What the relay is doing, for everyone else to see. Written by the relay, read by any thread. */
public final class RelayStatus implements WriteGate {
    private static final String NOT_ASKED =
            "the topics have not been asked yet whether they hold changes that this writer has lost, so"
                    + " a version could be given twice";

    private volatile RelayState state = RelayState.of(RelayState.Phase.PREPARING);
    private volatile boolean answered;

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

    /** Topics have told whether they hold more than the fact tables, and no version is given twice any more. */
    public void answered() {
        answered = true;
    }

    /**
     * A topic that cannot be used refuses writes: they could never be published. So do topics that were not asked yet whether they
     * hold changes that this writer has lost.
     */
    @Override
    public Optional<String> refusal() {
        RelayState now = state;
        if (now.phase() == RelayState.Phase.REFUSED) {
            return Optional.of(now.detail());
        }
        return answered
                ? Optional.empty()
                : Optional.of(now.detail().isEmpty() ? NOT_ASKED : NOT_ASKED + ": " + now.detail());
    }
}
