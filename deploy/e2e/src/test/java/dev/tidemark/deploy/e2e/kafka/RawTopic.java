package dev.tidemark.deploy.e2e.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.DefinitionsTopic;
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;

/** A topic, read and written behind the services' backs. Owned by one thread. */
public final class RawTopic implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final String topic;
    private final List<TopicPartition> partitions = new ArrayList<>();
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> consumer;

    /** A record and where it stands. */
    public record Placed(int partition, WireRecord record) {}

    public RawTopic(String bootstrapServers, String table, int partitionCount) {
        this(partitionCount, bootstrapServers, ChangeTopic.nameFor(table));
    }

    private RawTopic(int partitionCount, String bootstrapServers, String topic) {
        this.topic = topic;
        for (int i = 0; i < partitionCount; i++) {
            partitions.add(new TopicPartition(topic, i));
        }
        Map<String, Object> settings = Map.of("bootstrap.servers", bootstrapServers, "acks", "all");
        this.producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        this.consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "enable.auto.commit", false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /** The topic of definitions. */
    public static RawTopic ofDefinitions(String bootstrapServers) {
        return new RawTopic(1, bootstrapServers, DefinitionsTopic.NAME);
    }

    /** Every record that the topic holds now, each partition in its order. */
    public List<Placed> readAll() {
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        List<Placed> records = new ArrayList<>();
        while (partitions.stream().anyMatch(one -> consumer.position(one) < ends.getOrDefault(one, 0L))) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                records.add(new Placed(record.partition(), wire(record)));
            }
        }
        return records;
    }

    /** Appends records in their order and waits until the broker has all of them. */
    public void append(List<Placed> records) throws InterruptedException {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        records.forEach(placed -> sent.add(producer.send(kafka(placed))));
        try {
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("Expected the broker to take records", e);
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
        consumer.close();
    }

    private ProducerRecord<byte[], byte[]> kafka(Placed placed) {
        KeyBytes value = placed.record().value();
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                topic, placed.partition(), placed.record().key().array(), value == null ? null : value.array());
        placed.record()
                .headers()
                .forEach((name, text) -> record.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
        return record;
    }

    private static WireRecord wire(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new HashMap<>();
        record.headers()
                .forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        return new WireRecord(KeyBytes.wrap(record.key()), bytes(record.value()), headers);
    }

    private static @Nullable KeyBytes bytes(byte @Nullable [] value) {
        return value == null ? null : KeyBytes.wrap(value);
    }
}
