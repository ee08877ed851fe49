package dev.tidemark.streams.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

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
 * Keeps an index on town and last name: one store from a row's key to its entry key, which is needed to take the old entry
 * away, and one from entry key to the whole row. Rows without both fields have no entry. One instance for each partition.
 */
final class IndexProcessor extends ContextualProcessor<byte[], byte[], Void, Void> {
    static final String ENTRY_OF_ROW = "entry-of-row";
    static final String ENTRIES = "entries";

    private static final JsonFactory JSON = new JsonFactory();

    private final Progress progress;
    private @Nullable KeyValueStore<Bytes, byte[]> entryOfRow;
    private @Nullable KeyValueStore<Bytes, byte[]> entries;

    IndexProcessor(Progress progress) {
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
            byte @Nullable [] value,
            KeyValueStore<Bytes, byte[]> entryOfRow,
            KeyValueStore<Bytes, byte[]> entries) {
        Bytes key = Bytes.wrap(row);
        byte[] before = entryOfRow.get(key);
        byte[] after = value == null ? null : entryKey(row, value);
        if (before != null && (after == null || !Bytes.wrap(before).equals(Bytes.wrap(after)))) {
            entries.delete(Bytes.wrap(before));
        }
        if (after == null) {
            if (before != null) {
                entryOfRow.delete(key);
            }
            return;
        }
        entries.put(Bytes.wrap(after), value);
        entryOfRow.put(key, after);
    }

    /** Town, last name and the row's own key, with a zero byte between; null for a row that has no entry. */
    private static byte @Nullable [] entryKey(byte[] row, byte[] json) {
        String town = null;
        String lastName = null;
        try (JsonParser parser = JSON.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                parser.nextToken();
                switch (name) {
                    case "town" -> town = parser.getValueAsString();
                    case "lastName" -> lastName = parser.getValueAsString();
                    default -> parser.skipChildren();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (town == null || lastName == null) {
            return null;
        }
        byte[] fields = (town + '\0' + lastName + '\0').getBytes(StandardCharsets.UTF_8);
        byte[] key = new byte[fields.length + row.length];
        System.arraycopy(fields, 0, key, 0, fields.length);
        System.arraycopy(row, 0, key, fields.length, row.length);
        return key;
    }
}
