package dev.tidemark.writer.leader;

import java.util.Optional;

import dev.tidemark.writer.catalog.LogUnavailableException;

/** Where claims are published, in one order; for one thread. Each call blocks for seconds at most. */
public interface ClaimLog {
    /**
     * Returns the last claim of this deployment; empty where there is none. Records in its place that other processes
     * wrote are skipped.
     *
     * @throws LogUnavailableException when the log cannot be read to its end
     */
    Optional<Claim> last() throws LogUnavailableException, InterruptedException;

    /**
     * Publishes a claim.
     *
     * @throws LogUnavailableException when it was not acknowledged, and may be published or not
     */
    void publish(Claim claim) throws LogUnavailableException, InterruptedException;
}
