package dev.tidemark.deploy.drill.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
import dev.tidemark.catalog.DefinitionsTopic;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.deploy.drill.TopicTamper;

/** Change topics of a broker. */
public record KafkaTamper(String bootstrapServers) implements TopicTamper {
    private static final int MILLIS = 5_000;
    private static final int TWICE_MILLIS = 2 * MILLIS;
    private static final Duration PATIENCE = Duration.ofMillis(MILLIS);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int MOST_POLLS = 25;
    private static final Map<String, String> FORGETFUL = Map.of("cleanup.policy", "compact,delete");

    @Override
    public void poison(TableDefinition table, String key) throws InterruptedException {
        append(List.of(Forged.unreadable(table, key)));
    }

    @Override
    public void forge(TableDefinition table, Supplier<String> keys) throws InterruptedException {
        append(List.of(
                Forged.newerVersion(table, keys.get()),
                Forged.otherBody(table, keys.get()),
                Forged.heartbeat(table, keys.get()),
                definitions()));
    }

    private ProducerRecord<byte[], byte[]> definitions() {
        List<ProducerRecord<byte[], byte[]>> newest = newest(List.of(new TopicPartition(DefinitionsTopic.NAME, 0)), 1);
        byte[] value =
                newest.isEmpty() ? new byte[0] : newest.get(newest.size() - 1).value();
        try {
            return Forged.definitions(value);
        } catch (BadDefinitionsException e) {
            throw new TamperFailedException("the definitions cannot be forged: " + e.getMessage(), e);
        }
    }

    @Override
    public void repeat(TableDefinition table, int most) throws InterruptedException {
        append(newest(partitions(table), most));
    }

    @Override
    public void delete(TableDefinition table) throws InterruptedException {
        List<String> topics = List.of(topicOf(table));
        ask(table, "be deleted", admin -> admin.deleteTopics(topics).all());
    }

    @Override
    public Map<String, String> configure(TableDefinition table, Map<String, String> settings)
            throws InterruptedException {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, topicOf(table));
        List<ConfigResource> one = List.of(topic);
        Map<ConfigResource, Config> all =
                ask(table, "be read", admin -> admin.describeConfigs(one).all());
        Config found = Objects.requireNonNull(all.get(topic));
        Map<String, String> before = new TreeMap<>();
        settings.keySet().forEach(name -> before.put(name, found.get(name).value()));
        Collection<AlterConfigOp> changes = settings.entrySet().stream()
                .map(each -> new ConfigEntry(each.getKey(), each.getValue()))
                .map(entry -> new AlterConfigOp(entry, AlterConfigOp.OpType.SET))
                .toList();
        Map<ConfigResource, Collection<AlterConfigOp>> wanted = Map.of(topic, changes);
        ask(table, "be set up", admin -> admin.incrementalAlterConfigs(wanted).all());
        return before;
    }

    @Override
    public void forget(TableDefinition table) throws InterruptedException {
        // Brokers refuse it for topics that are only compacted.
        Map<String, String> before = configure(table, FORGETFUL);
        Map<TopicPartition, RecordsToDelete> all = partitions(table).stream()
                .collect(Collectors.toMap(partition -> partition, partition -> RecordsToDelete.beforeOffset(-1)));
        try {
            ask(table, "forget its records", admin -> admin.deleteRecords(all).all());
        } finally {
            configure(table, before);
        }
    }

    @Override
    public void addPartition(TableDefinition table) throws InterruptedException {
        Map<String, NewPartitions> more = Map.of(topicOf(table), NewPartitions.increaseTo(table.partitions() + 1));
        ask(table, "have more partitions", admin -> admin.createPartitions(more).all());
    }

    private <T> T ask(TableDefinition table, String what, Function<Admin, KafkaFuture<T>> question)
            throws InterruptedException {
        Admin admin = Admin.create(Map.of(
                "bootstrap.servers", bootstrapServers,
                "default.api.timeout.ms", MILLIS,
                "request.timeout.ms", MILLIS));
        try {
            return question.apply(admin).get(MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw new TamperFailedException("the topic of " + table.name() + " cannot " + what + ": " + e, e);
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    private List<ProducerRecord<byte[], byte[]>> newest(List<TopicPartition> partitions, int most) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", bootstrapServers,
                "enable.auto.commit", false,
                "default.api.timeout.ms", MILLIS);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, PATIENCE);
            partitions.forEach(one -> consumer.seek(one, Math.max(0, ends.getOrDefault(one, 0L) - most)));
            for (int polls = 0; polls < MOST_POLLS && !isAt(consumer, ends); polls++) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
                    if (record.offset() < ends.getOrDefault(partition, 0L)) {
                        records.add(new ProducerRecord<>(
                                record.topic(), record.partition(), record.key(), record.value(), record.headers()));
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
                .mapToObj(partition -> new TopicPartition(topicOf(table), partition))
                .toList();
    }

    private static boolean isAt(KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey(), PATIENCE) >= end.getValue());
    }

    private void append(List<ProducerRecord<byte[], byte[]>> records) throws InterruptedException {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", bootstrapServers,
                "acks", "all",
                "max.block.ms", MILLIS,
                "request.timeout.ms", MILLIS,
                "delivery.timeout.ms", TWICE_MILLIS,
                "linger.ms", 0);
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        try {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            records.forEach(record -> sent.add(producer.send(record)));
            for (Future<RecordMetadata> one : sent) {
                one.get(TWICE_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw new TamperFailedException("records cannot be appended: " + e, e);
        } finally {
            producer.close(Duration.ZERO);
        }
    }

    private static String topicOf(TableDefinition table) {
        return ChangeTopic.nameFor(table.name());
    }
}
