package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Route;

/**
 * Answers every question to an index with 503 while it is not known which indexes there are, rather than with 404.
 *
 * @param known whether the definitions have been read
 */
public record CatalogReadyFilter(BooleanSupplier known) {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** The same call, which waits for the definitions where it is about an index. */
    Route guard(Route route) {
        return route.path().startsWith("/v1/indexes/")
                ? route.with(call -> {
                    requireKnown();
                    route.handler().handle(call);
                })
                : route;
    }

    private void requireKnown() {
        if (!known.getAsBoolean()) {
            throw new ProblemException(Problem.retryable(
                    503,
                    "Definitions not known",
                    "it is not known yet which indexes there are; the writer publishes that",
                    RETRY_AFTER));
        }
    }
}
