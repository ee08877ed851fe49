package dev.tidemark.deploy.bench.apply;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.bench.apply.RecordFeed.FeedRecord;
import dev.tidemark.key.KeyBytes;

/** From records, and the entries that their rows had, to what has to be written. No disk; for one thread. */
final class EntryPlanner {
    private EntryPlanner() {}

    /** The rows of records, in their order. */
    static List<KeyBytes> rows(List<FeedRecord> records) {
        List<KeyBytes> rows = new ArrayList<>(records.size());
        for (FeedRecord record : records) {
            KeyBytes key = record.key();
            if (key != null) {
                rows.add(key);
            }
        }
        return rows;
    }

    /**
     * What the records do.
     *
     * @param before gives the entry keys of rows as they were before all of them
     */
    static EntryWrites plan(List<FeedRecord> records, Function<List<KeyBytes>, List<@Nullable KeyBytes>> before) {
        List<KeyBytes> rows = rows(records);
        List<@Nullable KeyBytes> found = before.apply(rows);
        Map<KeyBytes, KeyBytes> entries = new HashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            KeyBytes entry = found.get(i);
            if (entry != null) {
                entries.put(rows.get(i), entry);
            }
        }
        List<EntryWrites.Change> changes = new ArrayList<>(rows.size());
        Map<Integer, Long> offsets = new HashMap<>();
        for (FeedRecord record : records) {
            offsets.put(record.partition(), record.offset() + 1);
            KeyBytes key = record.key();
            if (key != null) {
                changes.add(change(key, record.value(), entries));
            }
        }
        return new EntryWrites(changes, offsets);
    }

    private static EntryWrites.Change change(KeyBytes row, @Nullable KeyBytes value, Map<KeyBytes, KeyBytes> entries) {
        EntryRule.Entry entry = value == null ? null : EntryRule.entry(row, value);
        if (entry == null) {
            return new EntryWrites.Change(row, entries.remove(row), null, KeyBytes.EMPTY);
        }
        KeyBytes old = entries.put(row, entry.key());
        return new EntryWrites.Change(
                row, old == null || old.equals(entry.key()) ? null : old, entry.key(), entry.row());
    }
}
