package dev.tidemark.streams.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an index on town and last name: one store from a row's key to its entry key, which is needed to take the old
 * entry away, and one from entry key to the whole row. Rows without both fields have no entry. One instance for each
 * partition.
 */
final class IndexProcessor extends ContextualProcessor<byte[], byte[], Void, Void> {
    static final String ENTRY_OF_ROW = "entry-of-row";
    static final String ENTRIES = "entries";

    private final StreamsApp.ProcessingProgress progress;
    private @Nullable KeyValueStore<Bytes, byte[]> entryOfRow;
    private @Nullable KeyValueStore<Bytes, byte[]> entries;

    IndexProcessor(StreamsApp.ProcessingProgress progress) {
        this.progress = progress;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        super.init(context);
        entryOfRow = context.getStateStore(ENTRY_OF_ROW);
        entries = context.getStateStore(ENTRIES);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        progress.begins();
        if (record.key() != null && entryOfRow != null && entries != null) {
            apply(record.key(), record.value(), entryOfRow, entries);
        }
        RecordMetadata place = context().recordMetadata().orElseThrow();
        progress.done(place.partition(), place.offset());
    }

    private static void apply(
            byte[] row,
            byte @Nullable [] change,
            KeyValueStore<Bytes, byte[]> entryOfRow,
            KeyValueStore<Bytes, byte[]> entries) {
        Bytes key = Bytes.wrap(row);
        byte[] before = entryOfRow.get(key);
        Entry after = change == null ? null : Entry.of(row, change);
        if (before != null && (after == null || !Bytes.wrap(before).equals(after.key()))) {
            entries.delete(Bytes.wrap(before));
        }
        if (after == null) {
            if (before != null) {
                entryOfRow.delete(key);
            }
            return;
        }
        entries.put(after.key(), after.row().get());
        entryOfRow.put(key, after.key().get());
    }

    /**
     * An entry of the index, in the form that the other baselines use. Written a second time because this application
     * has a separate class path, without any class of Tidemark.
     *
     * @param key town, last name and the row's own key, with a zero byte between
     * @param row as it is written in the change
     */
    private record Entry(Bytes key, Bytes row) {
        private static final JsonFactory JSON = new JsonFactory();
        private static final String ROW = "after";

        /**
         * The entry that a row has after a change; null when there is no row any more, or it lacks one of the fields.
         */
        static @Nullable Entry of(byte[] key, byte[] change) {
            try (JsonParser parser = JSON.createParser(change)) {
                parser.nextToken();
                for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                    JsonToken token = parser.nextToken();
                    if (name.equals(ROW) && token == JsonToken.START_OBJECT) {
                        return ofRow(key, change, parser);
                    }
                    parser.skipChildren();
                }
                return null;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static @Nullable Entry ofRow(byte[] key, byte[] change, JsonParser parser) throws IOException {
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
            byte[] fields = (town + '\0' + lastName + '\0').getBytes(StandardCharsets.UTF_8);
            byte[] entry = Arrays.copyOf(fields, fields.length + key.length);
            System.arraycopy(key, 0, entry, fields.length, key.length);
            return new Entry(Bytes.wrap(entry), Bytes.wrap(Arrays.copyOfRange(change, from, end)));
        }
    }
}
