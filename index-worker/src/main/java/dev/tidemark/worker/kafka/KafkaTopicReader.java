package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

import dev.tidemark.change.WireRecord;
import dev.tidemark.kafka.Interruptions;
import dev.tidemark.kafka.PollAllowance;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.worker.forecast.TopicReader;
import dev.tidemark.worker.store.ShardId;

/**
 * Reads change topics with a separate consumer, without a group, up to their end offsets at the beginning of the read.
 */
public final class KafkaTopicReader implements TopicReader {
    /** About what one poll gives. */
    private static final long POLL_BYTES = 4L << 20;

    /** While it polls, the client holds each record twice, and of each partition what it fetched. */
    private static final long HELD_BYTES = 4 * POLL_BYTES;

    private final Consumer<byte[], byte[]> consumer;
    private final PollAllowance allowance;
    private final MemoryBudget.Reservation held;
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

    /**
     * A reader that holds memory until it is closed.
     *
     * @throws IllegalStateException when there is too little left
     */
    public static KafkaTopicReader open(ConsumerSettings settings, MemoryBudget.Part memory) {
        MemoryBudget.Reservation held = memory.tryReserve(Math.min(HELD_BYTES, memory.limit() / 2))
                .orElseThrow(() -> new IllegalStateException("there is no memory left to read topics into"));
        PollAllowance allowance = new PollAllowance();
        Map<String, Object> reader = settings.reader("plan");
        reader.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, (int) POLL_BYTES);
        try {
            return new KafkaTopicReader(
                    new KafkaConsumer<>(reader, allowance.keys(), allowance.values()), allowance, held);
        } catch (RuntimeException e) {
            held.close();
            throw e;
        }
    }

    /** Reads through a client, which it closes in the end. */
    KafkaTopicReader(Consumer<byte[], byte[]> consumer, PollAllowance allowance, MemoryBudget.Reservation held) {
        this.consumer = consumer;
        this.allowance = allowance;
        this.held = held;
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
        allowance.begin(Math.min(POLL_BYTES, held.bytes() / 4));
        try {
            return piece(consumer.poll(patience));
        } catch (InterruptException e) {
            throw Interruptions.checked(e);
        }
    }

    @Override
    public void close() {
        held.close();
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
