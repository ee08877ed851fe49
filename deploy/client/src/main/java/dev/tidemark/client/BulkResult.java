package dev.tidemark.client;

import java.util.List;

/**
 * The outcome of a bulk load.
 *
 * @param committed lines whose change is on disk
 * @param rejected lines that were not taken, the first 1,000 of them
 * @param rejectedTotal how many lines were not taken
 * @param token for {@link Session#receipt}; the session has kept it
 */
public record BulkResult(long committed, List<Rejection> rejected, long rejectedTotal, String token) {
    public BulkResult {
        rejected = List.copyOf(rejected);
    }

    /**
     * A line that was not taken.
     *
     * @param line its number, from 1
     * @param detail why
     */
    public record Rejection(long line, String detail) {}
}
