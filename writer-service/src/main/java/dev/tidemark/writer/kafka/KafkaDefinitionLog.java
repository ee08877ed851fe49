package dev.tidemark.writer.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.catalog.DefinitionsTopic;
import dev.tidemark.kafka.DefinitionRecords;
import dev.tidemark.kafka.Interruptions;
import dev.tidemark.writer.define.DefinitionLog;
import dev.tidemark.writer.define.LogUnavailableException;

/**
 * The definitions in their compacted topic. Clients are made for each call: definitions change so rarely that open ones
 * would only stand about.
 */
public final class KafkaDefinitionLog implements DefinitionLog {
    private static final Logger LOGGER = LoggerFactory.getLogger(KafkaDefinitionLog.class);
    private static final TopicPartition PARTITION = new TopicPartition(DefinitionsTopic.NAME, 0);
    private static final Duration PATIENCE = Duration.ofSeconds(6);
    private static final int MAX_BYTES = 8 << 20;

    private final AdminConnection admin;
    private final ClientSettings settings;
    private final Optional<Short> replicationFactor;
    private final Clock clock;

    /**
     * The log.
     *
     * @param replicationFactor of the topic where it is made; empty for the broker's default
     */
    public KafkaDefinitionLog(
            AdminConnection admin, ClientSettings settings, Optional<Short> replicationFactor, Clock clock) {
        this.admin = admin;
        this.settings = settings;
        this.replicationFactor = replicationFactor;
        this.clock = clock;
    }

    @Override
    public Optional<Definitions> find() throws LogUnavailableException, InterruptedException {
        try {
            admin.ask(client ->
                    client.describeTopics(List.of(DefinitionsTopic.NAME)).allTopicNames());
            try (Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings.reader())) {
                return newest(consumer);
            }
        } catch (UnknownTopicOrPartitionException e) {
            return Optional.empty();
        } catch (InterruptException e) {
            throw Interruptions.checked(e);
        } catch (KafkaException e) {
            throw new LogUnavailableException(
                    "topic " + DefinitionsTopic.NAME + " cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void publish(Definitions definitions) throws LogUnavailableException, InterruptedException {
        try {
            ensureTopic();
            ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(
                    DefinitionsTopic.NAME, 0, bytes(DefinitionsTopic.KEY), DefinitionsJson.write(definitions));
            message.headers().add(DefinitionsTopic.VERSION_HEADER, bytes(Long.toString(definitions.version())));
            try (Producer<byte[], byte[]> producer = new KafkaProducer<>(settings.producer(MAX_BYTES))) {
                producer.send(message).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            }
            LOGGER.info("Published version {} of the definitions", definitions.version());
        } catch (InterruptException e) {
            throw Interruptions.checked(e);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw new LogUnavailableException(
                    "topic " + DefinitionsTopic.NAME + " cannot be written: " + e.getMessage(), e);
        }
    }

    private Optional<Definitions> newest(Consumer<byte[], byte[]> consumer) throws LogUnavailableException {
        consumer.assign(List.of(PARTITION));
        consumer.seekToBeginning(List.of(PARTITION));
        long end = consumer.endOffsets(List.of(PARTITION)).getOrDefault(PARTITION, 0L);
        Instant deadline = clock.instant().plus(PATIENCE);
        Optional<Definitions> newest = Optional.empty();
        while (consumer.position(PARTITION) < end) {
            for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofMillis(200))) {
                newest = later(newest, DefinitionRecords.read(message));
            }
            if (clock.instant().isAfter(deadline)) {
                throw new LogUnavailableException("topic " + DefinitionsTopic.NAME + " was not read to its end within "
                        + PATIENCE.toSeconds() + " s");
            }
        }
        return newest;
    }

    private static Optional<Definitions> later(Optional<Definitions> known, Optional<Definitions> read) {
        boolean newer = read.isPresent()
                && (known.isEmpty() || read.get().version() > known.get().version());
        return newer ? read : known;
    }

    /** Makes the topic, or puts right one that somebody else made. */
    private void ensureTopic() throws InterruptedException {
        Map<String, String> wanted = Map.of(
                TopicConfig.CLEANUP_POLICY_CONFIG,
                TopicConfig.CLEANUP_POLICY_COMPACT,
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                Integer.toString(MAX_BYTES));
        try {
            NewTopic topic = new NewTopic(DefinitionsTopic.NAME, Optional.of(1), replicationFactor).configs(wanted);
            admin.ask(client -> client.createTopics(List.of(topic)).all());
            LOGGER.info("Made topic {}", DefinitionsTopic.NAME);
        } catch (TopicExistsException e) {
            List<AlterConfigOp> settingsOfOurs = wanted.entrySet().stream()
                    .map(entry -> new AlterConfigOp(
                            new ConfigEntry(entry.getKey(), entry.getValue()), AlterConfigOp.OpType.SET))
                    .toList();
            ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, DefinitionsTopic.NAME);
            admin.ask(client -> client.incrementalAlterConfigs(Map.of(resource, settingsOfOurs))
                    .all());
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
