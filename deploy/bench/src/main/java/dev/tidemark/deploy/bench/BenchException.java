package dev.tidemark.deploy.bench;

/** A round that cannot count, with a sentence that says why. */
public final class BenchException extends Exception {
    private static final long serialVersionUID = 1L;

    public BenchException(String message) {
        super(message);
    }

    public BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
