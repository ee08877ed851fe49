package dev.tidemark.key;

/** Bytes that are not a key of this format. */
public final class MalformedKeyException extends Exception {
    private static final long serialVersionUID = 1L;

    public MalformedKeyException(String message) {
        super(message);
    }
}
