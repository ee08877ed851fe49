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
import java.util.function.Consumer;

import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
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
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.DefinitionsTopic;
import dev.tidemark.kafka.Interruptions;
import dev.tidemark.writer.define.DefinitionLog;
import dev.tidemark.writer.define.LogUnavailableException;
import dev.tidemark.writer.define.LoggedDefinitions;

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
    public void read(Consumer<LoggedDefinitions> reader) throws LogUnavailableException, InterruptedException {
        try {
            admin.ask(client ->
                    client.describeTopics(List.of(DefinitionsTopic.NAME)).allTopicNames());
            try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings.reader())) {
                readAll(consumer, reader);
            }
        } catch (UnknownTopicOrPartitionException e) {
            LOGGER.debug("There is no topic {} yet", DefinitionsTopic.NAME, e);
        } catch (InterruptException e) {
            throw Interruptions.checked(e);
        } catch (KafkaException e) {
            throw new LogUnavailableException(
                    "topic " + DefinitionsTopic.NAME + " cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void publish(LoggedDefinitions message, long version) throws LogUnavailableException, InterruptedException {
        try {
            ensureTopic();
            ProducerRecord<byte[], byte[]> produced =
                    new ProducerRecord<>(DefinitionsTopic.NAME, 0, bytes(DefinitionsTopic.KEY), bytes(message.json()));
            produced.headers().add(DefinitionsTopic.VERSION_HEADER, bytes(Long.toString(version)));
            produced.headers().add(DefinitionsTopic.EPOCH_HEADER, bytes(Long.toString(message.epoch())));
            produced.headers().add(DefinitionsTopic.SEAL_HEADER, bytes(message.seal()));
            send(new KafkaProducer<>(settings.producer(MAX_BYTES)), produced, PATIENCE);
            LOGGER.info("Published version {} of the definitions", version);
        } catch (InterruptException e) {
            throw Interruptions.checked(e);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw new LogUnavailableException(
                    "topic " + DefinitionsTopic.NAME + " cannot be written: " + e.getMessage(), e);
        }
    }

    /** Closes the producer at once in any case: its own close would wait for what is not delivered. */
    static void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> produced, Duration patience)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            producer.send(produced).get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            producer.close(Duration.ZERO);
        }
    }

    private void readAll(KafkaConsumer<byte[], byte[]> consumer, Consumer<LoggedDefinitions> reader)
            throws LogUnavailableException {
        consumer.assign(List.of(PARTITION));
        consumer.seekToBeginning(List.of(PARTITION));
        long end = consumer.endOffsets(List.of(PARTITION)).getOrDefault(PARTITION, 0L);
        Instant deadline = clock.instant().plus(PATIENCE);
        while (consumer.position(PARTITION) < end) {
            for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofMillis(200))) {
                if (message.value() != null) {
                    reader.accept(logged(message));
                }
            }
            if (clock.instant().isAfter(deadline)) {
                throw new LogUnavailableException("topic " + DefinitionsTopic.NAME + " was not read to its end within "
                        + PATIENCE.toSeconds() + " s");
            }
        }
    }

    private static LoggedDefinitions logged(ConsumerRecord<byte[], byte[]> message) {
        String epoch = header(message, DefinitionsTopic.EPOCH_HEADER);
        return new LoggedDefinitions(
                new String(message.value(), StandardCharsets.UTF_8),
                epoch.matches("[0-9]{1,18}") ? Long.parseLong(epoch) : 0,
                header(message, DefinitionsTopic.SEAL_HEADER));
    }

    private static String header(ConsumerRecord<byte[], byte[]> message, String name) {
        Header header = message.headers().lastHeader(name);
        return header == null || header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
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
