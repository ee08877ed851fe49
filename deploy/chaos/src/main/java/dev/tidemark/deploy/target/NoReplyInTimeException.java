package dev.tidemark.deploy.target;

import java.io.IOException;

/** A service took a request and did not answer in time: it may carry the request out later. */
public final class NoReplyInTimeException extends IOException {
    private static final long serialVersionUID = 1;

    public NoReplyInTimeException(String message, Throwable cause) {
        super(message, cause);
    }
}
