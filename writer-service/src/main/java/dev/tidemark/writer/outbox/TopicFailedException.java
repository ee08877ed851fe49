package dev.tidemark.writer.outbox;

/** The log refuses records of one topic for a reason that lies in that topic; others are not concerned. */
public final class TopicFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    public TopicFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
