package dev.tidemark.deploy.bench.apply;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.bench.apply.RecordFeed.FeedRecord;
import dev.tidemark.key.KeyBytes;

/**
 * The store without anything around it: the same puts and deletes, from memory, in batches of the same size. One
 * thread.
 */
public final class StoreAlone {
    private final RecordFeed feed;
    private final EntryTable table;
    private final Clock clock;
    private final Map<KeyBytes, KeyBytes> entries = new HashMap<>();

    public StoreAlone(RecordFeed feed, EntryTable table, Clock clock) {
        this.feed = feed;
        this.table = table;
        this.clock = clock;
    }

    /** Reads and plans everything, and then writes it; how long the writing took. */
    public Duration run() {
        List<EntryWrites> all = new ArrayList<>();
        while (!feed.isAtEnd()) {
            List<FeedRecord> records = feed.poll();
            if (!records.isEmpty()) {
                EntryWrites writes = EntryPlanner.plan(records, this::known);
                writes.changes().forEach(this::remember);
                all.add(writes);
            }
        }
        Instant began = clock.instant();
        all.forEach(table::write);
        return Duration.between(began, clock.instant());
    }

    private List<@Nullable KeyBytes> known(List<KeyBytes> rows) {
        List<@Nullable KeyBytes> found = new ArrayList<>(rows.size());
        rows.forEach(row -> found.add(entries.get(row)));
        return found;
    }

    private void remember(EntryWrites.Change change) {
        KeyBytes entry = change.entry();
        if (entry == null) {
            entries.remove(change.row());
        } else {
            entries.put(change.row(), entry);
        }
    }
}
