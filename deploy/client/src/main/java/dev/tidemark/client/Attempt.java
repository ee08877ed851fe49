package dev.tidemark.client;

import java.net.ConnectException;
import java.net.URI;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.Objects;
import java.util.stream.Stream;

import dev.tidemark.client.Request.Kind;

/** How one attempt at a request ended, and what follows from that. */
sealed interface Attempt {
    /** Whether the request may be sent again: to another URL, or after a pause. */
    boolean mayRepeat(Kind kind);

    /** What the caller gets where it is not sent again. */
    TidemarkException failure(Kind kind);

    /** A service answered. */
    record Answered(Answer answer) implements Attempt {
        @Override
        public boolean mayRepeat(Kind kind) {
            return switch (answer.status()) {
                case 429 -> kind != Kind.STREAM;
                // With a freshness, the service has waited as long as it was to wait.
                case 503 ->
                    kind == Kind.READ ? !answer.body().has("stalenessMs") : kind == Kind.WRITE && answer.isNotDone();
                case 502, 504 -> kind == Kind.READ;
                default -> false;
            };
        }

        @Override
        public TidemarkException failure(Kind kind) {
            boolean unknown = kind != Kind.READ && !answer.isNotDone();
            if (answer.body().isObject()) {
                return unknown
                        ? new TidemarkException.OutcomeUnknown(answer.problem())
                        : TidemarkException.of(answer.problem());
            }
            String found = "answered " + answer.status() + " at " + answer.url()
                    + ", and something else than JSON; is it a Tidemark service?";
            return unknown
                    ? new TidemarkException.OutcomeUnknown(found)
                    : new TidemarkException.UnexpectedAnswer(found, null);
        }
    }

    /** No connection came about, so that nothing was sent. */
    record NotSent(URI url, Exception cause) implements Attempt {
        @Override
        public boolean mayRepeat(Kind kind) {
            return true;
        }

        /** Whether the service is not trusted, or its certificate is of another. That does not change by waiting. */
        boolean isUntrusted() {
            return Stream.<Throwable>iterate(cause, Objects::nonNull, Throwable::getCause)
                    .anyMatch(one -> one instanceof CertificateException || one instanceof CertPathValidatorException);
        }

        @Override
        public TidemarkException failure(Kind kind) {
            String why = isUntrusted() ? "its certificate is not trusted, or is of another host" : words(cause);
            return new TidemarkException.Unreachable(url + " cannot be reached: " + why, cause);
        }
    }

    /** It was sent, perhaps in part, and no whole answer came. */
    record BrokenOff(URI url, Exception cause) implements Attempt {
        @Override
        public boolean mayRepeat(Kind kind) {
            return kind == Kind.READ;
        }

        @Override
        public TidemarkException failure(Kind kind) {
            return kind == Kind.READ
                    ? new TidemarkException.Unreachable(url + " gave no whole answer: " + words(cause), cause)
                    : new TidemarkException.OutcomeUnknown(url, words(cause), cause);
        }
    }

    /** What happened, without the name of a class; the exception has its cause besides. */
    private static String words(Exception cause) {
        if (cause.getMessage() != null) {
            return cause.getMessage();
        }
        return cause instanceof ConnectException ? "nothing answers there" : "the connection broke off";
    }
}
