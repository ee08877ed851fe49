package dev.tidemark.source.feed;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Is called with what happens. */
public interface Progress {
    /**
     * A run begins.
     *
     * @param snapshot whether it reads all rows first
     */
    void started(boolean snapshot);

    /** The run ended. */
    void stopped();

    /**
     * A snapshot begins.
     *
     * @param why for people
     * @param rows about how many rows each table has
     */
    void began(String why, Map<String, Long> rows);

    /** A row of a snapshot was read. */
    void read(String table);

    /**
     * The writer took a batch.
     *
     * @param bytes of the batch
     */
    void sent(int changes, long bytes, Optional<Instant> watermark);

    /** The snapshot ended, and rows that are gone were deleted. */
    void ended();

    /** Something that people should know. */
    void warn(String text);
}
