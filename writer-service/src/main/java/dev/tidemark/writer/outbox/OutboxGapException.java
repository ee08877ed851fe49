package dev.tidemark.writer.outbox;

import dev.tidemark.writer.commit.FactsDamage;

/** The outbox lacks a change that was committed. Nothing after it may be published. */
final class OutboxGapException extends Exception {
    private static final long serialVersionUID = 1L;

    OutboxGapException(long expected, long found) {
        super("the outbox lacks change " + expected + (found > 0 ? "; the next one it has is " + found : "")
                + ", so nothing after it may be published; " + FactsDamage.REMEDY);
    }
}
