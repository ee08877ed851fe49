package dev.tidemark.http;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

import org.eclipse.jetty.http.HttpException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.runtime.DiskFault;

/** Maps the failure of a request to a problem. */
final class Failures {
    private static final Logger LOGGER = LoggerFactory.getLogger(Failures.class);

    private static final Problem INTERNAL =
            Problem.of(500, "Internal error", "the request failed inside the service; see its log");
    private static final Problem DISK_FAILED = Problem.retryable(
                    503,
                    "Disk failed",
                    "the disk of the service failed at what the request needs; see its log",
                    Duration.ofSeconds(1))
            .typed(ProblemType.DISK_FAILED);

    private Failures() {}

    /**
     * What a call threw.
     *
     * @param request its method and path, for the log
     */
    static Problem of(Throwable failure, String request) {
        if (failure instanceof ProblemException known) {
            return known.problem();
        }
        if (failure instanceof BadInputException mistake) {
            return Problem.badRequest(mistake);
        }
        LOGGER.error("Request {} failed", request, failure);
        return failure instanceof DiskFault fault && fault.isDiskFailure() ? DISK_FAILED : INTERNAL;
    }

    /** Why a body did not arrive. */
    static Problem ofBody(Throwable failure) {
        if (failure instanceof TooSlowException || failure instanceof TimeoutException) {
            return Problem.of(408, "Request timeout", "expected a whole request body, but it came too slowly")
                    .typed(ProblemType.TOO_SLOW);
        }
        if (failure instanceof HttpException bad) {
            return Problem.badRequest("expected a body as HTTP frames it, but got: " + bad.getReason());
        }
        LOGGER.debug("A client went before its request was whole", failure);
        return Problem.badRequest("expected a whole request body, but the connection broke off");
    }
}
