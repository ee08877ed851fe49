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
    private final RecordFeed feed;
    private final EntryTable table;
    private final Clock clock;

    public PlainLoop(RecordFeed feed, EntryTable table, Clock clock) {
        this.feed = feed;
        this.table = table;
        this.clock = clock;
    }

    /** Follows to the end; how long it was from the first records to the last. */
    public Duration run() {
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
