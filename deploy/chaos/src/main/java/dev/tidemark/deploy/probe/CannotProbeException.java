package dev.tidemark.deploy.probe;

/** The table or index is absent, or of a kind that the prober cannot use. The message says what to do. */
public final class CannotProbeException extends Exception {
    private static final long serialVersionUID = 1L;

    public CannotProbeException(String message) {
        super(message);
    }
}
