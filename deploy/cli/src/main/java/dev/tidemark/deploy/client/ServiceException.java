package dev.tidemark.deploy.client;

/** A service refused, or could not be reached. The message names the URL or what the service said. */
public final class ServiceException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String explanation;

    public ServiceException(String explanation) {
        super(explanation);
        this.explanation = explanation;
    }

    @Override
    public String getMessage() {
        return explanation;
    }
}
