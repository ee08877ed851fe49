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
import java.util.function.Supplier;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.DefinitionsTopic;
import dev.tidemark.kafka.Interruptions;
import dev.tidemark.writer.catalog.DefinitionLog;
import dev.tidemark.writer.catalog.LogUnavailableException;
import dev.tidemark.writer.catalog.LoggedDefinitions;

/**
 * The definitions in their compacted topic. Clients are made for each call: definitions change so rarely that open ones
 * would only stand about.
 */
public final class KafkaDefinitionLog implements DefinitionLog {
    private static final Logger LOGGER = LoggerFactory.getLogger(KafkaDefinitionLog.class);
    private static final TopicPartition PARTITION = new TopicPartition(DefinitionsTopic.NAME, 0);
    private static final Duration PATIENCE = Duration.ofSeconds(6);
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(1);
    private static final int MAX_BYTES = 8 << 20;

    private final TopicAdmin admin;
    private final TopicCreator creator;
    private final Supplier<Consumer<byte[], byte[]>> consumers;
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final Clock clock;
    private boolean checked;

    /**
     * The log.
     *
     * @param replicationFactor of the topic where it is made; empty for the broker's default
     */
    public KafkaDefinitionLog(
            AdminConnection admin, KafkaClientSettings settings, Optional<Short> replicationFactor, Clock clock) {
        this(
                new KafkaTopicAdmin(admin),
                replicationFactor,
                () -> new KafkaConsumer<>(settings.oneByOne()),
                () -> new KafkaProducer<>(settings.producer(MAX_BYTES)),
                clock);
    }

    /**
     * The log, over any clients.
     *
     * @param consumers makes one for each time the log is read; it is closed afterwards
     * @param producers makes one for each record; it is closed afterwards
     */
    KafkaDefinitionLog(
            TopicAdmin admin,
            Optional<Short> replicationFactor,
            Supplier<Consumer<byte[], byte[]>> consumers,
            Supplier<Producer<byte[], byte[]>> producers,
            Clock clock) {
        this.admin = admin;
        this.creator = new TopicCreator(admin, replicationFactor);
        this.consumers = consumers;
        this.producers = producers;
        this.clock = clock;
    }

    @Override
    public void read(java.util.function.Consumer<LoggedDefinitions> reader)
            throws LogUnavailableException, InterruptedException {
        try {
            check(admin.find(DefinitionsTopic.NAME));
            Consumer<byte[], byte[]> consumer = consumers.get();
            try {
                readAll(consumer, reader);
            } finally {
                consumer.close(CloseOptions.timeout(CLOSE_PATIENCE));
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
            send(producers.get(), produced, PATIENCE);
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

    private void readAll(Consumer<byte[], byte[]> consumer, java.util.function.Consumer<LoggedDefinitions> reader)
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

    /** Once, so that a cluster which refuses to describe settings costs one attempt and no more. */
    private void check(TopicAdmin.Found found) throws InterruptedException {
        if (!checked) {
            checked = true;
            Map<String, String> settings = admin.settings(DefinitionsTopic.NAME);
            creator.check(DefinitionsTopic.NAME, found.replicas(), settings);
            creator.preferBrokerTime(DefinitionsTopic.NAME, settings);
        }
    }

    /** Creates the topic, or corrects the settings of one that exists already. */
    private void ensureTopic() throws InterruptedException {
        Map<String, String> wanted = Map.of(
                TopicConfig.CLEANUP_POLICY_CONFIG,
                TopicConfig.CLEANUP_POLICY_COMPACT,
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                Integer.toString(MAX_BYTES));
        try {
            creator.create(DefinitionsTopic.NAME, 1, wanted);
        } catch (TopicExistsException e) {
            admin.set(DefinitionsTopic.NAME, wanted);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
