package dev.tidemark.row;

/** Bytes that are not JSON, or JSON beyond the limits of {@link RowJson}. The message is fit for the sender. */
public final class BadJsonException extends BadInputException {
    private static final long serialVersionUID = 1L;

    public BadJsonException(String message) {
        super(message);
    }

    /** The same for what is beyond a limit, which is named for programs. */
    public BadJsonException(String message, ProblemType limit) {
        super(message, limit);
    }
}
