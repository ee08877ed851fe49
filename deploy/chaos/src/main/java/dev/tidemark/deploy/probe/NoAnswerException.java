package dev.tidemark.deploy.probe;

/** A service could not be reached, did not answer in time, or answered with an error. */
public final class NoAnswerException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean refused;

    /**
     * No useful answer.
     *
     * @param refused whether the service answered and surely did nothing; otherwise a write may have happened
     */
    public NoAnswerException(String message, boolean refused) {
        super(message);
        this.refused = refused;
    }

    public boolean refused() {
        return refused;
    }
}
