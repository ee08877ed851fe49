package dev.tidemark.writer.commit;

/** A read or write of the fact tables met damage on disk. Trying again does not help; the message names the remedy. */
public final class FactsUnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public FactsUnreadableException(String what, Throwable cause) {
        super(FactsDamage.describe(what), cause);
    }
}
