package dev.tidemark.deploy.client;

/** A service answered that it is too busy, or not able at the moment. */
public final class UnavailableException extends ServiceException {
    private static final long serialVersionUID = 1L;

    public UnavailableException(String explanation) {
        super(explanation);
    }
}
