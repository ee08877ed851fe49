package dev.tidemark.deploy.drill.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.node.TextNode;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.BadKeyException;
import dev.tidemark.catalog.DefinitionsTopic;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.deploy.drill.target.Forgery;
import dev.tidemark.deploy.drill.target.TopicTamper;
import dev.tidemark.key.KeyBytes;

/** Change topics of a broker. */
public final class KafkaTamper implements TopicTamper {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int MOST_POLLS = 25;
    private static final Map<String, String> FORGETFUL = Map.of("cleanup.policy", "compact,delete");
    private static final byte[] GARBAGE = "garbage{".getBytes(StandardCharsets.UTF_8);

    private final String bootstrapServers;

    public KafkaTamper(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
    }

    @Override
    public void poison(TableDefinition table, String key) throws TamperFailedException, InterruptedException {
        try {
            KeyBytes bytes = table.keyFromJson(TextNode.valueOf(key));
            append(List.of(new ProducerRecord<>(
                    ChangeTopic.nameFor(table.name()), table.partitionOf(bytes), bytes.array(), GARBAGE)));
        } catch (BadKeyException e) {
            throw new IllegalArgumentException("Expected a key of " + table.name() + ", but got " + key, e);
        }
    }

    @Override
    public void forge(TableDefinition table, String key, Forgery forgery)
            throws TamperFailedException, InterruptedException {
        append(List.of(
                switch (forgery) {
                    case NEWER_VERSION -> Forged.newerVersion(table, key);
                    case OTHER_BODY -> Forged.otherBody(table, key);
                    case FUTURE_HEARTBEAT -> Forged.heartbeat(table, key);
                    case DEFINITIONS -> definitions();
                }));
    }

    private ProducerRecord<byte[], byte[]> definitions() throws TamperFailedException {
        List<ProducerRecord<byte[], byte[]>> newest = newest(List.of(new TopicPartition(DefinitionsTopic.NAME, 0)), 1);
        try {
            byte[] value = newest.isEmpty()
                    ? new byte[0]
                    : newest.get(newest.size() - 1).value();
            return Forged.definitions(value);
        } catch (BadDefinitionsException e) {
            throw new TamperFailedException("the definitions cannot be forged: " + e.getMessage(), e);
        }
    }

    @Override
    public int repeat(TableDefinition table, int most) throws TamperFailedException, InterruptedException {
        List<ProducerRecord<byte[], byte[]>> newest = newest(partitions(table), most);
        append(newest);
        return newest.size();
    }

    @Override
    public void delete(TableDefinition table) throws TamperFailedException, InterruptedException {
        ask(
                "the topic of " + table.name() + " cannot be deleted",
                admin -> admin.deleteTopics(List.of(ChangeTopic.nameFor(table.name())))
                        .all());
    }

    @Override
    public Map<String, String> configure(TableDefinition table, Map<String, String> settings)
            throws TamperFailedException, InterruptedException {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, ChangeTopic.nameFor(table.name()));
        String failure = "the topic of " + table.name() + " cannot be set up";
        Config found = Objects.requireNonNull(
                ask(failure, admin -> admin.describeConfigs(List.of(topic)).all())
                        .get(topic));
        Map<String, String> before = new TreeMap<>();
        settings.keySet().forEach(name -> before.put(name, found.get(name).value()));
        List<AlterConfigOp> changes = settings.entrySet().stream()
                .map(one -> new AlterConfigOp(new ConfigEntry(one.getKey(), one.getValue()), AlterConfigOp.OpType.SET))
                .toList();
        ask(
                failure,
                admin -> admin.incrementalAlterConfigs(Map.of(topic, changes)).all());
        return before;
    }

    @Override
    public void forget(TableDefinition table) throws TamperFailedException, InterruptedException {
        // Brokers refuse it for topics that are only compacted.
        Map<String, String> before = configure(table, FORGETFUL);
        Map<TopicPartition, RecordsToDelete> all = partitions(table).stream()
                .collect(Collectors.toMap(partition -> partition, partition -> RecordsToDelete.beforeOffset(-1)));
        try {
            ask(
                    "the topic of " + table.name() + " cannot forget its records",
                    admin -> admin.deleteRecords(all).all());
        } finally {
            configure(table, before);
        }
    }

    @Override
    public void addPartition(TableDefinition table) throws TamperFailedException, InterruptedException {
        String topic = ChangeTopic.nameFor(table.name());
        int more = table.partitions() + 1;
        ask(
                "the topic of " + table.name() + " cannot have more partitions",
                admin -> admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(more)))
                        .all());
    }

    private <T> T ask(String failure, Function<Admin, KafkaFuture<T>> question)
            throws TamperFailedException, InterruptedException {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", bootstrapServers,
                "default.api.timeout.ms", (int) PATIENCE.toMillis(),
                "request.timeout.ms", (int) PATIENCE.toMillis());
        Admin admin = Admin.create(settings);
        try {
            return question.apply(admin).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw new TamperFailedException(failure + ": " + e, e);
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    private List<ProducerRecord<byte[], byte[]>> newest(List<TopicPartition> partitions, int most)
            throws TamperFailedException {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, PATIENCE);
            partitions.forEach(one -> consumer.seek(one, Math.max(0, ends.getOrDefault(one, 0L) - most)));
            for (int polls = 0; polls < MOST_POLLS && !isAt(consumer, ends); polls++) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (record.offset() < ends.getOrDefault(partition(record), 0L)) {
                        records.add(again(record));
                    }
                }
            }
            return records;
        } catch (KafkaException e) {
            throw new TamperFailedException("the newest records of " + partitions + " cannot be read: " + e, e);
        }
    }

    private static List<TopicPartition> partitions(TableDefinition table) {
        return IntStream.range(0, table.partitions())
                .mapToObj(partition -> new TopicPartition(ChangeTopic.nameFor(table.name()), partition))
                .toList();
    }

    private static boolean isAt(KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey(), PATIENCE) >= end.getValue());
    }

    private static TopicPartition partition(ConsumerRecord<byte[], byte[]> record) {
        return new TopicPartition(record.topic(), record.partition());
    }

    private static ProducerRecord<byte[], byte[]> again(ConsumerRecord<byte[], byte[]> record) {
        return new ProducerRecord<>(record.topic(), record.partition(), record.key(), record.value(), record.headers());
    }

    private void append(List<ProducerRecord<byte[], byte[]>> records)
            throws TamperFailedException, InterruptedException {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "acks",
                "all",
                "max.block.ms",
                PATIENCE.toMillis(),
                "request.timeout.ms",
                (int) PATIENCE.toMillis(),
                "delivery.timeout.ms",
                (int) PATIENCE.toMillis() * 2,
                "linger.ms",
                0);
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        try {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            records.forEach(record -> sent.add(producer.send(record)));
            for (Future<RecordMetadata> one : sent) {
                one.get(PATIENCE.toSeconds() * 2, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw new TamperFailedException("records cannot be appended: " + e, e);
        } finally {
            producer.close(Duration.ZERO);
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "enable.auto.commit",
                        false,
                        "auto.offset.reset",
                        "earliest",
                        "default.api.timeout.ms",
                        (int) PATIENCE.toMillis()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }
}
