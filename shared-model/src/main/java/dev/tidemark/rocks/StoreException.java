package dev.tidemark.rocks;

/** The store could not do what was asked. A write that threw was not applied, or is undone when the store reopens. */
public class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }

    protected StoreException(String message) {
        super(message);
    }
}
