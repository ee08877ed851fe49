package dev.tidemark.deploy.bench.apply;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.bench.apply.RecordFeed.FeedRecord;

/**
 * What an evening's work gives: poll, look up what was there, write all of it with the offsets in one batch. One
 * thread.
 */
public final class PlainLoop {
    private PlainLoop() {}

    /** Follows to the end; how long it was from the first records to the last. */
    public static Duration run(RecordFeed feed, EntryTable table, Clock clock) {
        @Nullable Instant began = null;
        while (!feed.isAtEnd()) {
            List<FeedRecord> records = feed.poll();
            if (!records.isEmpty()) {
                began = began == null ? clock.instant() : began;
                table.write(EntryPlanner.plan(records, table::entriesOf));
            }
        }
        return began == null ? Duration.ZERO : Duration.between(began, clock.instant());
    }
}
