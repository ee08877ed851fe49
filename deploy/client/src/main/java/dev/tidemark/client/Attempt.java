package dev.tidemark.client;

import java.net.URI;
import javax.net.ssl.SSLHandshakeException;

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
            if (kind != Kind.READ && answer.status() >= 500 && !answer.isNotDone()) {
                return new TidemarkException.OutcomeUnknown(answer.problem());
            }
            if (answer.body().isObject()) {
                return TidemarkException.of(answer.problem());
            }
            return new TidemarkException.UnexpectedAnswer(
                    "answered " + answer.status() + " at " + answer.url()
                            + ", and something else than JSON; is it a Tidemark service?",
                    null);
        }
    }

    /** No connection came about, so that nothing was sent. */
    record NotSent(URI url, Exception cause) implements Attempt {
        @Override
        public boolean mayRepeat(Kind kind) {
            // A certificate does not become right by waiting.
            return !(cause instanceof SSLHandshakeException);
        }

        @Override
        public TidemarkException failure(Kind kind) {
            return new TidemarkException.Unreachable(url, cause);
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
                    ? new TidemarkException.Unreachable(url, cause)
                    : new TidemarkException.OutcomeUnknown(url, cause);
        }
    }
}
