package dev.tidemark.streams.kafka;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Interactive queries: a range over the store of each partition, merged in the order of the index, which the store of
 * all partitions together does not do. For any thread.
 */
final class TownEntries {
    private static final int ANSWER_BYTES = 8 * 1024;

    private final List<ReadOnlyKeyValueStore<Bytes, byte[]>> stores = new ArrayList<>();

    TownEntries(KafkaStreams streams, int partitions) {
        for (int partition = 0; partition < partitions; partition++) {
            stores.add(streams.store(StoreQueryParameters.fromNameAndType(
                            IndexProcessor.ENTRIES, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
                    .withPartition(partition)));
        }
    }

    /** The answer for a town, as JSON. */
    byte[] first(String town, int limit) {
        Answer answer = new Answer();
        List<KeyValueIterator<Bytes, byte[]>> ranges = new ArrayList<>();
        try {
            for (ReadOnlyKeyValueStore<Bytes, byte[]> store : stores) {
                ranges.add(store.range(bound(town, (char) 0), bound(town, (char) 1)));
            }
            int next = least(ranges);
            for (int count = 0; next >= 0 && count < limit; count++) {
                answer.entry(count, next, ranges.get(next).next());
                next = least(ranges);
            }
            return answer.end(town);
        } finally {
            ranges.forEach(KeyValueIterator::close);
        }
    }

    private static Bytes bound(String town, char end) {
        return Bytes.wrap((town + end).getBytes(StandardCharsets.UTF_8));
    }

    private static int least(List<KeyValueIterator<Bytes, byte[]>> ranges) {
        int least = -1;
        @Nullable Bytes first = null;
        for (int i = 0; i < ranges.size(); i++) {
            if (ranges.get(i).hasNext()) {
                Bytes key = ranges.get(i).peekNextKey();
                if (first == null || key.compareTo(first) < 0) {
                    least = i;
                    first = key;
                }
            }
        }
        return least;
    }

    /** An answer that is put together, with the members that the worker's has. */
    private static final class Answer {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream(ANSWER_BYTES);

        Answer() {
            ascii("{\"index\":\"by_town_last_name\",\"entries\":[");
        }

        /** The fields of an entry's key stand in it with a zero byte behind each; a row begins with its primary key. */
        void entry(int count, int partition, KeyValue<Bytes, byte[]> entry) {
            byte[] key = entry.key.get();
            byte[] row = entry.value;
            int town = end(key, 0, (byte) 0);
            int lastName = end(key, town + 1, (byte) 0);
            int id = end(row, 0, (byte) ':') + 1;
            ascii(count == 0 ? "{\"key\":{\"town\":\"" : ",{\"key\":{\"town\":\"");
            out.write(key, 0, town);
            ascii("\",\"lastName\":\"");
            out.write(key, town + 1, lastName - town - 1);
            ascii("\"},\"primaryKey\":");
            out.write(row, id, end(row, id, (byte) ',') - id);
            ascii(",\"shard\":" + partition + ",\"version\":\"0001000000000000001\",\"row\":");
            out.write(row, 0, row.length);
            ascii("}");
        }

        byte[] end(String town) {
            ascii("],\"next\":\"" + town + "\",\"freshness\":{\"completeUpTo\":\"" + Instant.now()
                    + "\",\"stalenessMs\":0,\"state\":\"steady\"}}");
            return out.toByteArray();
        }

        private static int end(byte[] bytes, int from, byte mark) {
            int at = from;
            while (bytes[at] != mark) {
                at++;
            }
            return at;
        }

        private void ascii(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            out.write(bytes, 0, bytes.length);
        }
    }
}
