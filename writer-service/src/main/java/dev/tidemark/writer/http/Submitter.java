package dev.tidemark.writer.http;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.writer.commit.CommitFailedException;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.CommitRequest;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.QueueFullException;
import dev.tidemark.writer.commit.WriteRequest;
import dev.tidemark.writer.commit.WritesRefusedException;

/** Submits requests to the committer and waits for their outcomes; reports every failure as a problem answer. */
record Submitter(Committer committer) {
    private static final Duration RETRY_SOON = Duration.ofSeconds(1);
    private static final Duration RETRY_LATER = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Hands in a request and waits for the outcomes of its commands. */
    List<CommitOutcome> commit(CommitRequest request) {
        return await(begin(request, Duration.ZERO));
    }

    /**
     * Hands in a request.
     *
     * @param patience how long to wait for room in the queue
     */
    CompletableFuture<List<CommitOutcome>> begin(CommitRequest request, Duration patience) {
        try {
            return committer.submit(request, patience);
        } catch (QueueFullException e) {
            throw new ProblemException(
                    Problem.retryable(429, "Too many writes", String.valueOf(e.getMessage()), RETRY_SOON)
                            .typed(ProblemType.TOO_MANY_WRITES));
        } catch (WritesRefusedException e) {
            throw new ProblemException(unavailable(String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    List<CommitOutcome> await(CompletableFuture<List<CommitOutcome>> done) {
        try {
            return done.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new ProblemException(problem(e));
        } catch (InterruptedException e) {
            throw new ProblemException(interrupted().problem().typed(ProblemType.OUTCOME_UNKNOWN));
        }
    }

    /**
     * Hands in a request without waiting for anything.
     *
     * @return fails when its outcomes are not known in time
     */
    CompletableFuture<List<CommitOutcome>> beginNow(WriteRequest request) {
        return begin(request, Duration.ZERO).orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Why the outcomes of a request are not known. */
    static Problem problem(@Nullable Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof TimeoutException) {
            return unavailable("the disk has not taken the write for " + PATIENCE.toSeconds()
                            + " s; it may or may not be done later, so look at the row before writing again")
                    .typed(ProblemType.OUTCOME_UNKNOWN);
        }
        Problem problem =
                unavailable(cause == null ? "nothing is known of the write" : String.valueOf(cause.getMessage()));
        boolean known = cause instanceof CommitFailedException failed && failed.isOutcomeKnown();
        return known ? problem : problem.typed(ProblemType.OUTCOME_UNKNOWN);
    }

    private static Problem unavailable(String detail) {
        return Problem.retryable(503, "Writes unavailable", detail, RETRY_LATER).typed(ProblemType.WRITES_UNAVAILABLE);
    }

    private static ProblemException interrupted() {
        Thread.currentThread().interrupt();
        return new ProblemException(unavailable("the service is stopping"));
    }
}
