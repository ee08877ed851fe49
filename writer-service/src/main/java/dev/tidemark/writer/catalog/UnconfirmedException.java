package dev.tidemark.writer.catalog;

/**
 * Definitions cannot be changed at the moment, or a change is not enforced or published yet, or it is not known whether
 * it was made; the message says which.
 */
public final class UnconfirmedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean outcomeKnown;

    UnconfirmedException(String message) {
        this(message, true);
    }

    UnconfirmedException(String message, boolean outcomeKnown) {
        super(message);
        this.outcomeKnown = outcomeKnown;
    }

    /** Whether it is known that the change was made, or that it was not. */
    public boolean isOutcomeKnown() {
        return outcomeKnown;
    }
}
