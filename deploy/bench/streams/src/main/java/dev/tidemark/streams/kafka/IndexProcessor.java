package dev.tidemark.streams.kafka;

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

    private final ProcessingProgress progress;
    private @Nullable KeyValueStore<Bytes, byte[]> entryOfRow;
    private @Nullable KeyValueStore<Bytes, byte[]> entries;

    IndexProcessor(ProcessingProgress progress) {
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
}
