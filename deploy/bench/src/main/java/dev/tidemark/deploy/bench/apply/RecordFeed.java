package dev.tidemark.deploy.bench.apply;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;

/** A topic from its beginning to where it ended when the feed was opened. For one thread. */
public interface RecordFeed extends AutoCloseable {
    /** The next records; empty while there is nothing at the moment. */
    List<FeedRecord> poll();

    /** Whether every record has been given. */
    boolean isAtEnd();

    @Override
    void close();

    /** A record as it is in the topic; without a key when it is of no row, without a value when it deletes. */
    record FeedRecord(
            int partition,
            long offset,
            @Nullable KeyBytes key,
            @Nullable KeyBytes value) {}
}
