package dev.tidemark.deploy.client;

/** A service refused, or could not be reached. The message names the URL or what the service said. */
public class ServiceException extends Exception {
    private static final long serialVersionUID = 1L;

    public ServiceException(String explanation) {
        super(explanation);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
