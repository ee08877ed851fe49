package dev.tidemark.row;

/**
 * Something a user sent that cannot be accepted. The message always says what was expected and what was found, and is fit
 * to be shown to the sender.
 */
public abstract class BadInputException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String explanation;

    protected BadInputException(String explanation) {
        super(explanation);
        this.explanation = explanation;
    }

    @Override
    public String getMessage() {
        return explanation;
    }
}
