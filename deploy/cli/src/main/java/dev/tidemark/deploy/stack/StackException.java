package dev.tidemark.deploy.stack;

/** The stack cannot do what was asked. The message says why and what to do, and is fit to be shown as it is. */
public final class StackException extends Exception {
    private static final long serialVersionUID = 1L;

    public StackException(String explanation) {
        super(explanation);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
