package dev.tidemark.client;

import java.net.URI;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** A call failed. The subclass says what that means for a program, the message what it means for people. */
public abstract sealed class TidemarkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private TidemarkException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    /** A service answered that it did not do what was requested: nothing of it was applied. */
    public abstract static sealed class Refused extends TidemarkException {
        private static final long serialVersionUID = 1L;

        private final transient Problem problem;

        private Refused(Problem problem) {
            super(message(problem), null);
            this.problem = problem;
        }

        /** What the service answered. */
        public Problem problem() {
            return problem;
        }
    }

    /** The request is not as it must be (400 and other statuses below 500); the detail names the parameter or field. */
    public static final class InvalidRequest extends Refused {
        private static final long serialVersionUID = 1L;

        InvalidRequest(Problem problem) {
            super(problem);
        }
    }

    /** There is no token, it is unknown (401), or it lacks a scope, which the detail names (403). */
    public static final class AccessDenied extends Refused {
        private static final long serialVersionUID = 1L;

        AccessDenied(Problem problem) {
            super(problem);
        }
    }

    /** There is no such table, index or row (404). */
    public static final class NotFound extends Refused {
        private static final long serialVersionUID = 1L;

        NotFound(Problem problem) {
            super(problem);
        }
    }

    /** The condition of a write did not hold (412). */
    public static final class ConditionFailed extends Refused {
        private static final long serialVersionUID = 1L;

        ConditionFailed(Problem problem) {
            super(problem);
        }

        /** The version that the row has; empty where there is no row. */
        public Optional<String> currentVersion() {
            return Optional.ofNullable(problem().body().path("version").textValue());
        }
    }

    /** The token of the session, or a cursor, is from before the fact tables went back in time (410). */
    public static final class TokenGone extends Refused {
        private static final long serialVersionUID = 1L;

        TokenGone(Problem problem) {
            super(problem);
        }
    }

    /** The index is being built (425). */
    public static final class IndexNotReady extends Refused {
        private static final long serialVersionUID = 1L;

        IndexNotReady(Problem problem) {
            super(problem);
        }
    }

    /**
     * The service is too busy (429) or not able now (503), also after further attempts: it is overloaded or stopping, a
     * write of the session or {@link Query#maxStaleness} was not reached in time, or partitions are missing.
     */
    public static final class Unavailable extends Refused {
        private static final long serialVersionUID = 1L;

        Unavailable(Problem problem) {
            super(problem);
        }

        /** The freshness that the answer to a query would have had; empty where that was not the reason. */
        public Optional<Freshness> freshness() {
            return problem().body().has("stalenessMs")
                    ? Optional.of(Freshness.of(problem().body()))
                    : Optional.empty();
        }
    }

    /** The service failed inside (500), or what answered is no Tidemark service. */
    public static final class UnexpectedAnswer extends TidemarkException {
        private static final long serialVersionUID = 1L;

        UnexpectedAnswer(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** No service could be reached, or a read broke off; nothing was changed. */
    public static final class Unreachable extends TidemarkException {
        private static final long serialVersionUID = 1L;

        Unreachable(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * A write was sent, and it is not known whether it was done. It is either fully done or not at all, and may still
     * be done later; of a load, the first lines may be done. The client did not send it again, because that could undo
     * the write of another client. Look at the row, or send the write again where that does no harm.
     */
    public static final class OutcomeUnknown extends TidemarkException {
        private static final long serialVersionUID = 1L;

        OutcomeUnknown(URI url, String why, Throwable cause) {
            super("no answer to a write came from " + url + ", and it may have been done: " + why, cause);
        }

        OutcomeUnknown(Problem problem) {
            this(message(problem));
        }

        OutcomeUnknown(String message) {
            super(message, null);
        }
    }

    /** The thread was interrupted during a call, and is still marked so. A write may have been done. */
    public static final class Interrupted extends TidemarkException {
        private static final long serialVersionUID = 1L;

        Interrupted(InterruptedException cause) {
            super("the thread was interrupted during a call", cause);
        }
    }

    static TidemarkException of(Problem problem) {
        return switch (problem.status()) {
            case 401, 403 -> new AccessDenied(problem);
            case 404 -> new NotFound(problem);
            case 410 -> new TokenGone(problem);
            case 412 -> new ConditionFailed(problem);
            case 425 -> new IndexNotReady(problem);
            case 429, 503 -> new Unavailable(problem);
            default ->
                problem.status() < 500 ? new InvalidRequest(problem) : new UnexpectedAnswer(message(problem), null);
        };
    }

    private static String message(Problem problem) {
        String first = "answered " + problem.status() + ": " + problem.detail();
        return problem.errors().isEmpty() ? first : first + "\n  - " + String.join("\n  - ", problem.errors());
    }
}
