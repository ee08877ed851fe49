package dev.tidemark.kafka;

import org.apache.kafka.common.errors.InterruptException;

/** Turns the interrupt of Kafka's clients, which is unchecked, into that of the platform. */
public final class Interruptions {
    private Interruptions() {}

    /** What to throw instead. Clears the flag, which Kafka leaves set: whoever catches the checked one expects that. */
    public static InterruptedException checked(InterruptException e) {
        Thread.interrupted();
        InterruptedException checked = new InterruptedException(e.getMessage());
        checked.initCause(e);
        return checked;
    }
}
