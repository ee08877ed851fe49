package dev.tidemark.worker.http;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.worker.query.NoMemoryException;

/** Why no answer came from another service, in words that clients are shown too. */
final class CallFailures {
    private static final Logger LOGGER = LoggerFactory.getLogger(CallFailures.class);

    private CallFailures() {}

    /** A clause about the service that was called, which is "it" there. */
    static String words(Throwable failure) {
        LOGGER.debug("Another service gave no answer", failure);
        boolean isWrapped = failure instanceof CompletionException || failure instanceof ExecutionException;
        Throwable cause = isWrapped && failure.getCause() != null ? failure.getCause() : failure;
        if (cause.getCause() instanceof NoMemoryException none) {
            return String.valueOf(none.getMessage());
        }
        if (cause instanceof AnswerTooLongException) {
            return String.valueOf(cause.getMessage());
        }
        if (cause instanceof TimeoutException) {
            return "it has not answered in time";
        }
        if (cause instanceof SSLException) {
            return "TLS with it fails: it or this worker does not trust the certificate of the other, or has none";
        }
        boolean notThere = cause instanceof ConnectException
                || cause instanceof SocketTimeoutException
                || cause instanceof UnknownHostException
                || cause instanceof UnresolvedAddressException;
        return notThere ? "it cannot be reached" : "the connection to it broke off";
    }
}
