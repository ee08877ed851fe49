package dev.tidemark.worker.verify;

/** It cannot be said at the moment whether an index is equal to its table. */
public class CannotVerifyException extends Exception {
    private static final long serialVersionUID = 1L;

    public CannotVerifyException(String reason) {
        super(reason);
    }
}
