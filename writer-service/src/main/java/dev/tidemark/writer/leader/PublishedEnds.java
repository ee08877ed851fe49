package dev.tidemark.writer.leader;

import dev.tidemark.writer.catalog.LogUnavailableException;

/** How much was ever published to the change topics: a writer that publishes moves it, at least by heartbeats. */
@FunctionalInterface
public interface PublishedEnds {
    /**
     * The sum of the ends of all partitions.
     *
     * @throws LogUnavailableException when the log cannot be asked, or a partition cannot be written
     */
    long sum() throws LogUnavailableException, InterruptedException;
}
