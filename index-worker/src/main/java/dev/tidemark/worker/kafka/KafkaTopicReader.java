package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

import dev.tidemark.change.WireRecord;
import dev.tidemark.kafka.Interruptions;
import dev.tidemark.worker.plan.TopicReader;
import dev.tidemark.worker.store.ShardId;

/** Reads change topics with a consumer of its own, without a group, up to the ends that they had when it began. */
public final class KafkaTopicReader implements TopicReader {
    private final Consumer<byte[], byte[]> consumer;
    private final Records reading = new Records();
    private final Map<TopicPartition, Span> spans = new HashMap<>();

    /** The offsets of a partition that are read, and how far that is. */
    private record Span(long begin, long end, long next) {
        Span at(long offset) {
            return new Span(begin, end, Math.max(next, Math.min(offset, end)));
        }

        long passed() {
            return next - begin;
        }
    }

    public KafkaTopicReader(ClientSettings settings) {
        this.consumer = new KafkaConsumer<>(settings.reader("plan"));
    }

    @Override
    public long begin(String table, int partitions) {
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(partition -> Partitions.of(new ShardId(table, partition)))
                .toList();
        consumer.assign(all);
        consumer.seekToBeginning(all);
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(all);
        Map<TopicPartition, Long> ends = consumer.endOffsets(all);
        spans.clear();
        for (TopicPartition partition : all) {
            long begin = begins.getOrDefault(partition, 0L);
            spans.put(partition, new Span(begin, Math.max(begin, ends.getOrDefault(partition, begin)), begin));
        }
        pauseWhatIsRead();
        return spans.values().stream()
                .mapToLong(span -> span.end() - span.begin())
                .sum();
    }

    @Override
    public Piece poll(Duration patience) throws InterruptedException {
        try {
            return piece(consumer.poll(patience));
        } catch (InterruptException e) {
            throw Interruptions.checked(e);
        }
    }

    @Override
    public void close() {
        consumer.close();
    }

    private Piece piece(ConsumerRecords<byte[], byte[]> records) {
        List<WireRecord> wire = new ArrayList<>(records.count());
        spans.forEach((partition, span) -> {
            for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
                if (record.offset() < span.end()) {
                    wire.add(reading.of(record).record());
                }
            }
        });
        spans.replaceAll((partition, span) -> {
            OffsetAndMetadata next = records.nextOffsets().get(partition);
            return next == null ? span : span.at(next.offset());
        });
        pauseWhatIsRead();
        return new Piece(wire, spans.values().stream().mapToLong(Span::passed).sum());
    }

    private void pauseWhatIsRead() {
        consumer.pause(spans.entrySet().stream()
                .filter(span -> span.getValue().next() >= span.getValue().end())
                .map(Map.Entry::getKey)
                .toList());
    }
}
