package dev.tidemark.source.feed;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Is called with what happens. */
public interface Progress {
    /**
     * A snapshot begins.
     *
     * @param why for people
     * @param rows about how many rows each table has
     */
    void began(String why, Map<String, Long> rows);

    /** A row of a snapshot was read. */
    void read(String table);

    /** Changes were committed. */
    void sent(int changes, Optional<Instant> watermark);

    /** The snapshot ended, and rows that are gone were deleted. */
    void ended();

    /** Something that people should know. */
    void warn(String text);
}
