package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import io.javalin.config.RoutesConfig;

import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;

/** Answers every question to an index with 503 while it is not known which indexes there are, rather than with 404. */
public final class UntilDefined {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final BooleanSupplier known;

    /**
     * The guard.
     *
     * @param known whether the definitions have been read
     */
    public UntilDefined(BooleanSupplier known) {
        this.known = known;
    }

    void addTo(RoutesConfig routes) {
        routes.before("/v1/indexes/*", context -> {
            if (!known.getAsBoolean()) {
                throw new ProblemException(Problem.retryable(
                        503,
                        "Definitions not known",
                        "it is not known yet which indexes there are; the writer publishes that",
                        RETRY_AFTER));
            }
        });
    }
}
