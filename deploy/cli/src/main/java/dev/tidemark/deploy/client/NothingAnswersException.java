package dev.tidemark.deploy.client;

/** Nothing listens where a service should be. */
public final class NothingAnswersException extends UnansweredException {
    private static final long serialVersionUID = 1L;

    public NothingAnswersException(String explanation) {
        super(explanation);
    }
}
