package dev.tidemark.kafka;

import org.apache.kafka.common.errors.InterruptException;

/** Turns the interrupt of Kafka's clients, which is unchecked, into that of the platform. */
public final class Interruptions {
    private Interruptions() {}

    /**
     * Converts Kafka's exception to the checked one. Clears the interrupt flag, which Kafka leaves set, because code
     * that catches the checked exception expects it cleared.
     */
    public static InterruptedException checked(InterruptException e) {
        Thread.interrupted();
        InterruptedException checked = new InterruptedException(e.getMessage());
        checked.initCause(e);
        return checked;
    }
}
