package dev.tidemark.api;

import java.util.List;

/**
 * The answer to a bulk load.
 *
 * @param committed lines that were committed
 * @param rejected lines that were not; there may be more than are listed
 * @param rejectedTotal how many lines were not
 * @param token to read one's own writes
 */
public record BulkResult(long committed, List<Rejection> rejected, long rejectedTotal, String token) {
    /**
     * One line that was not committed.
     *
     * @param line its number, from 1
     */
    public record Rejection(long line, String detail) {}
}
