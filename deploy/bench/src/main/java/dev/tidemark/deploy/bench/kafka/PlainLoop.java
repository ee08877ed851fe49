package dev.tidemark.deploy.bench.kafka;

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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.bench.EntryTable;
import dev.tidemark.deploy.bench.EntryTable.EntryWrites;
import dev.tidemark.key.KeyBytes;

/**
 * What an evening's work gives: poll, look up what was there, write all of it with the offsets in one batch. It follows
 * a topic from its beginning to where it ended when the loop was made, with a consumer's own settings and no group. One
 * thread.
 *
 * <p>The key of an entry is town, last name and the row's own key, with a zero byte between; an entry carries the whole
 * row.
 */
public final class PlainLoop implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMillis(100);
    private static final JsonFactory JSON = new JsonFactory();
    private static final String ROW = "after";

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Long> ends;
    private final Clock clock;

    public PlainLoop(String brokers, String topic, Clock clock) {
        this.consumer = consumer(brokers, topic);
        this.ends = consumer.endOffsets(consumer.assignment());
        this.clock = clock;
    }

    /** A consumer at the beginning of every partition. */
    static KafkaConsumer<byte[], byte[]> consumer(String brokers, String topic) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", brokers, "auto.offset.reset", "earliest", "enable.auto.commit", false);
        KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        return consumer;
    }

    /** Follows to the end; how long it was from the first records to the last. */
    public Duration run(EntryTable table) {
        @Nullable Instant began = null;
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(PATIENCE);
            if (!records.isEmpty()) {
                began = began == null ? clock.instant() : began;
                table.write(plan(records, table::entriesOf));
            }
        }
        return began == null ? Duration.ZERO : Duration.between(began, clock.instant());
    }

    /**
     * The store without anything around it: the same puts and deletes, from memory, in batches of the same size. Reads
     * and plans everything, and then writes it; how long the writing took.
     */
    public Duration runStoreAlone(EntryTable table) {
        PlannedWrites planned = new PlannedWrites();
        run(planned);
        Instant began = clock.instant();
        planned.all.forEach(table::write);
        return Duration.between(began, clock.instant());
    }

    @Override
    public void close() {
        consumer.close();
    }

    /**
     * What records do; one without a key is of no row, and one without a value deletes.
     *
     * @param before gives the entry keys of rows as they were before all of them
     */
    static EntryWrites plan(
            Iterable<ConsumerRecord<byte[], byte[]>> records,
            Function<List<KeyBytes>, Map<KeyBytes, KeyBytes>> before) {
        List<KeyBytes> rows = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.key() != null) {
                rows.add(KeyBytes.wrap(record.key()));
            }
        }
        Map<KeyBytes, KeyBytes> entries = new HashMap<>(before.apply(rows));
        List<EntryWrites.Change> changes = new ArrayList<>(rows.size());
        Map<Integer, Long> offsets = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            offsets.put(record.partition(), record.offset() + 1);
            if (record.key() != null) {
                changes.add(change(rows.get(changes.size()), record.value(), entries));
            }
        }
        return new EntryWrites(changes, offsets);
    }

    private static EntryWrites.Change change(KeyBytes row, byte @Nullable [] value, Map<KeyBytes, KeyBytes> entries) {
        Entry entry = value == null ? null : entry(row, value);
        if (entry == null) {
            return new EntryWrites.Change(row, entries.remove(row), null, KeyBytes.EMPTY);
        }
        KeyBytes old = entries.put(row, entry.key());
        return new EntryWrites.Change(
                row, old == null || old.equals(entry.key()) ? null : old, entry.key(), entry.row());
    }

    /** An entry: its key, and the row as it is written in the change. */
    private record Entry(KeyBytes key, KeyBytes row) {}

    /**
     * The entry that a row has after a change.
     *
     * @param key of the row
     * @param json what the topic holds, read without building a tree of it
     * @return null when there is no row any more, or it lacks one of the fields
     */
    private static @Nullable Entry entry(KeyBytes key, byte[] json) {
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

    /** Keeps the writes, and the entry of each row, in memory. */
    private static final class PlannedWrites implements EntryTable {
        private final List<EntryWrites> all = new ArrayList<>();
        private final Map<KeyBytes, KeyBytes> entries = new HashMap<>();

        @Override
        public Map<KeyBytes, KeyBytes> entriesOf(List<KeyBytes> rows) {
            Map<KeyBytes, KeyBytes> found = new HashMap<>();
            for (KeyBytes row : rows) {
                KeyBytes entry = entries.get(row);
                if (entry != null) {
                    found.put(row, entry);
                }
            }
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
