package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.bench.PlainLoop.RecordFeed.FeedRecord;
import dev.tidemark.key.KeyBytes;

/**
 * What an evening's work gives: poll, look up what was there, write all of it with the offsets in one batch. One
 * thread.
 *
 * <p>The key of an entry is town, last name and the row's own key, with a zero byte between; an entry carries the whole
 * row.
 */
public final class PlainLoop {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String ROW = "after";

    private PlainLoop() {}

    /** Follows to the end; how long it was from the first records to the last. */
    public static Duration run(RecordFeed feed, EntryTable table, Clock clock) {
        @Nullable Instant began = null;
        while (!feed.isAtEnd()) {
            List<FeedRecord> records = feed.poll();
            if (!records.isEmpty()) {
                began = began == null ? clock.instant() : began;
                table.write(plan(records, table::entriesOf));
            }
        }
        return began == null ? Duration.ZERO : Duration.between(began, clock.instant());
    }

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
        Entry entry = value == null ? null : entry(row, value);
        if (entry == null) {
            return new EntryWrites.Change(row, entries.remove(row), null, KeyBytes.EMPTY);
        }
        KeyBytes old = entries.put(row, entry.key());
        return new EntryWrites.Change(
                row, old == null || old.equals(entry.key()) ? null : old, entry.key(), entry.row());
    }

    /** An entry: its key, and the row as it is written in the change. */
    record Entry(KeyBytes key, KeyBytes row) {}

    /**
     * The entry that a row has after a change.
     *
     * @param key of the row
     * @param change what the topic holds, read without building a tree of it
     * @return null when there is no row any more, or it lacks one of the fields
     */
    static @Nullable Entry entry(KeyBytes key, KeyBytes change) {
        byte[] json = change.array();
        try (JsonParser parser = JSON.createParser(json)) {
            parser.nextToken();
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken token = parser.nextToken();
                if (name.equals(ROW) && token == JsonToken.START_OBJECT) {
                    return entryOfRow(key, json, parser);
                }
                parser.skipChildren();
            }
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable Entry entryOfRow(KeyBytes key, byte[] json, JsonParser parser) throws IOException {
        int from = (int) parser.currentTokenLocation().getByteOffset();
        String town = null;
        String lastName = null;
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            switch (name) {
                case "town" -> town = parser.getValueAsString();
                case "lastName" -> lastName = parser.getValueAsString();
                default -> parser.skipChildren();
            }
        }
        if (town == null || lastName == null) {
            return null;
        }
        int end = (int) parser.currentLocation().getByteOffset();
        return new Entry(entryKey(town, lastName, key), KeyBytes.wrap(Arrays.copyOfRange(json, from, end)));
    }

    private static KeyBytes entryKey(String town, String lastName, KeyBytes row) {
        byte[] fields = (town + '\0' + lastName + '\0').getBytes(StandardCharsets.UTF_8);
        byte[] key = Arrays.copyOf(fields, fields.length + row.length());
        System.arraycopy(row.array(), 0, key, fields.length, row.length());
        return KeyBytes.wrap(key);
    }

    /**
     * The store without anything around it: the same puts and deletes, from memory, in batches of the same size. Reads
     * and plans everything, and then writes it; how long the writing took.
     */
    public static Duration runStoreAlone(RecordFeed feed, EntryTable table, Clock clock) {
        PlannedWrites planned = new PlannedWrites();
        run(feed, planned, clock);
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

    /** Where a baseline keeps its index: the entry key of every row, and the entries. For one thread. */
    public interface EntryTable extends AutoCloseable {
        /** The entry key of each of these rows, in their order; null for a row without an entry. */
        List<@Nullable KeyBytes> entriesOf(List<KeyBytes> rows);

        /** Writes in one step: it is all there after a crash of the process, or nothing of it. */
        void write(EntryWrites writes);

        @Override
        void close();
    }

    /**
     * What one batch of changes does to an index.
     *
     * @param changes in their order
     * @param offsets where each partition that the batch touches goes on
     */
    public record EntryWrites(List<Change> changes, Map<Integer, Long> offsets) {
        /**
         * One row.
         *
         * @param row its primary key
         * @param gone an entry to be taken away; null for none
         * @param entry the key of the entry that it has now; null for none
         * @param carried what the entry carries
         */
        public record Change(
                KeyBytes row,
                @Nullable KeyBytes gone,
                @Nullable KeyBytes entry,
                KeyBytes carried) {}
    }

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
}
