package dev.tidemark.deploy.bench.apply;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;

/**
 * The store without anything around it: the same puts and deletes, from memory, in batches of the same size. One
 * thread.
 */
public final class StoreAlone {
    private StoreAlone() {}

    /** Reads and plans everything, and then writes it; how long the writing took. */
    public static Duration run(RecordFeed feed, EntryTable table, Clock clock) {
        PlannedWrites planned = new PlannedWrites();
        PlainLoop.run(feed, planned, clock);
        Instant began = clock.instant();
        planned.all.forEach(table::write);
        return Duration.between(began, clock.instant());
    }

    /** Keeps the writes, and the entry of each row, in memory. */
    private static final class PlannedWrites implements EntryTable {
        private final List<EntryWrites> all = new ArrayList<>();
        private final Map<KeyBytes, KeyBytes> entries = new HashMap<>();

        @Override
        public List<@Nullable KeyBytes> entriesOf(List<KeyBytes> rows) {
            List<@Nullable KeyBytes> found = new ArrayList<>(rows.size());
            rows.forEach(row -> found.add(entries.get(row)));
            return found;
        }

        @Override
        public void write(EntryWrites writes) {
            all.add(writes);
            for (EntryWrites.Change change : writes.changes()) {
                KeyBytes entry = change.entry();
                if (entry == null) {
                    entries.remove(change.row());
                } else {
                    entries.put(change.row(), entry);
                }
            }
        }

        @Override
        public void close() {
            entries.clear();
        }
    }
}
