package dev.tidemark.writer.outbox;

/** The log did not acknowledge everything; how much of it arrived is not known. Trying again later may help. */
public final class PublishException extends Exception {
    private static final long serialVersionUID = 1L;

    public PublishException(String message, Throwable cause) {
        super(message, cause);
    }

    public PublishException(String message) {
        super(message);
    }
}
