package dev.tidemark.writer.outbox;

/**
 * What the relay is doing.
 *
 * @param phase the kind of thing
 * @param detail why, in words for an operator; empty while all is well
 */
public record RelayState(Phase phase, String detail) {
    /** Phases, in the order in which they usually follow each other. */
    public enum Phase {
        /** Looks at the topics, makes those that are absent. */
        PREPARING,
        /** Looks whether topics hold what the fact tables have lost, and undoes it. */
        UNDOING,
        /** Publishes what is committed. */
        RUNNING,
        /** The log did not take something; tries again shortly. */
        WAITING,
        /** The outbox has a gap; writes are refused until an operator repairs it. */
        REFUSED
    }

    static RelayState of(Phase phase) {
        return new RelayState(phase, "");
    }
}
