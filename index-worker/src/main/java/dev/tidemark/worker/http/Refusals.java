package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.Optional;

import dev.tidemark.http.Problem;
import dev.tidemark.row.ProblemType;
import dev.tidemark.worker.copy.CopyRefusedException;
import dev.tidemark.worker.explain.NoReceiptException;
import dev.tidemark.worker.query.LostTokenException;
import dev.tidemark.worker.query.NoMemoryException;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.query.UnknownIndexException;

/** What is answered where a call fails in the same way on several routes. */
final class Refusals {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private Refusals() {}

    /** The problem that an exception of this worker is; empty for any other one. */
    static Optional<Problem> of(Throwable failure) {
        String why = String.valueOf(failure.getMessage());
        if (failure instanceof NoMemoryException) {
            return Optional.of(
                    Problem.retryable(503, "No memory left", why, RETRY_AFTER).typed(ProblemType.NO_MEMORY));
        }
        if (failure instanceof NotAnswerableException) {
            return Optional.of(notAnswerable(why));
        }
        if (failure instanceof LostTokenException) {
            return Optional.of(gone(why));
        }
        if (failure instanceof NoReceiptException none) {
            return Optional.of(none.isGone() ? gone(why) : Problem.notFound(why));
        }
        if (failure instanceof UnknownIndexException) {
            return Optional.of(Problem.notFound(why));
        }
        return failure instanceof CopyRefusedException refused
                ? Optional.of(refused.retryAfter()
                        .map(after -> Problem.retryable(429, "Too many requests", why, after))
                        .orElseGet(() -> Problem.notFound(why)))
                : Optional.empty();
    }

    static Problem notAnswerable(String why) {
        return Problem.retryable(503, "Not answerable now", why, RETRY_AFTER);
    }

    static Problem gone(String why) {
        return Problem.of(410, "Gone", why);
    }

    /** Another worker has to be asked. */
    static Problem notHeld(String why) {
        return Problem.of(421, "Misdirected request", why).typed(ProblemType.NOT_HELD);
    }
}
