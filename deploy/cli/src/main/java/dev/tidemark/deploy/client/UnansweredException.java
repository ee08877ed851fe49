package dev.tidemark.deploy.client;

/** No whole answer came from where a service should be. */
public class UnansweredException extends ServiceException {
    private static final long serialVersionUID = 1L;

    public UnansweredException(String explanation) {
        super(explanation);
    }
}
