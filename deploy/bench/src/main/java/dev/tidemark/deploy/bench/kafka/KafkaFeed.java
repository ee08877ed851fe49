package dev.tidemark.deploy.bench.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.bench.PlainLoop.RecordFeed;
import dev.tidemark.key.KeyBytes;

/** A feed from a topic, with a consumer's own settings and no group. */
public final class KafkaFeed implements RecordFeed {
    private static final Duration PATIENCE = Duration.ofMillis(100);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Long> ends;

    public KafkaFeed(String brokers, String topic) {
        this.consumer = ByteConsumer.of(brokers, topic);
        this.ends = consumer.endOffsets(consumer.assignment());
    }

    @Override
    public List<FeedRecord> poll() {
        List<FeedRecord> records = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(PATIENCE)) {
            records.add(
                    new FeedRecord(record.partition(), record.offset(), bytes(record.key()), bytes(record.value())));
        }
        return records;
    }

    private static @Nullable KeyBytes bytes(byte @Nullable [] bytes) {
        return bytes == null ? null : KeyBytes.wrap(bytes);
    }

    @Override
    public boolean isAtEnd() {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    @Override
    public void close() {
        consumer.close();
    }

    /** A consumer of a whole topic, with a consumer's own settings and no group. */
    static final class ByteConsumer {
        private ByteConsumer() {}

        /** A consumer at the beginning of every partition. */
        static KafkaConsumer<byte[], byte[]> of(String brokers, String topic) {
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
    }
}
