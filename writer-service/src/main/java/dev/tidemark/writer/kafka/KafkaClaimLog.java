package dev.tidemark.writer.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.kafka.Interruptions;
import dev.tidemark.writer.catalog.LogUnavailableException;
import dev.tidemark.writer.leader.Claim;
import dev.tidemark.writer.leader.ClaimLog;
import dev.tidemark.writer.leader.ClaimSeal;

/** Claims in a compacted topic of one partition, by deployment. Reads go on where the one before ended. */
public final class KafkaClaimLog implements ClaimLog, AutoCloseable {
    static final String TOPIC = "tidemark.writers";

    private static final Logger LOGGER = LoggerFactory.getLogger(KafkaClaimLog.class);
    private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
    private static final Duration PATIENCE = Duration.ofSeconds(6);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int MAX_BYTES = 64 << 10;

    private final AdminConnection admin;
    private final KafkaClientSettings settings;
    private final ClaimSeal seal;
    private final TopicCreator creator;
    private final Clock clock;
    private @Nullable Consumer<byte[], byte[]> consumer;
    private Optional<Claim> last = Optional.empty();

    /**
     * The log.
     *
     * @param replicationFactor of the topic where it is made; empty for the broker's default
     */
    public KafkaClaimLog(
            AdminConnection admin,
            KafkaClientSettings settings,
            ClaimSeal seal,
            Optional<Short> replicationFactor,
            Clock clock) {
        this.admin = admin;
        this.settings = settings;
        this.seal = seal;
        this.creator = new TopicCreator(new KafkaTopicAdmin(admin), replicationFactor);
        this.clock = clock;
    }

    @Override
    public Optional<Claim> last() throws LogUnavailableException, InterruptedException {
        try {
            Consumer<byte[], byte[]> reader = reader();
            if (reader == null) {
                return Optional.empty();
            }
            readToTheEnd(reader);
            return last;
        } catch (InterruptException e) {
            throw Interruptions.checked(e);
        } catch (KafkaException e) {
            close();
            throw new LogUnavailableException("topic " + TOPIC + " cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void publish(Claim claim) throws LogUnavailableException, InterruptedException {
        ProducerRecord<byte[], byte[]> claimed =
                new ProducerRecord<>(TOPIC, 0, seal.deployment().getBytes(StandardCharsets.UTF_8), seal.seal(claim));
        try {
            ensureTopic();
            KafkaDefinitionLog.send(new KafkaProducer<>(settings.producer(MAX_BYTES)), claimed, PATIENCE);
        } catch (InterruptException e) {
            throw Interruptions.checked(e);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw new LogUnavailableException("topic " + TOPIC + " cannot be written: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        Consumer<byte[], byte[]> open = consumer;
        consumer = null;
        last = Optional.empty();
        if (open != null) {
            try {
                open.close(CloseOptions.timeout(Duration.ZERO));
            } catch (InterruptException e) {
                Thread.currentThread().interrupt();
            } catch (KafkaException e) {
                LOGGER.debug("A consumer could not be closed", e);
            }
        }
    }

    private @Nullable Consumer<byte[], byte[]> reader() throws InterruptedException {
        if (consumer == null && exists()) {
            var readerSettings = settings.reader();
            readerSettings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
            Consumer<byte[], byte[]> made = new KafkaConsumer<>(readerSettings);
            consumer = made;
            made.assign(List.of(PARTITION));
            made.seekToBeginning(List.of(PARTITION));
        }
        return consumer;
    }

    private boolean exists() throws InterruptedException {
        try {
            admin.ask(client -> client.describeTopics(List.of(TOPIC)).allTopicNames());
            return true;
        } catch (UnknownTopicOrPartitionException e) {
            LOGGER.debug("There is no topic {} yet", TOPIC, e);
            return false;
        }
    }

    private void readToTheEnd(Consumer<byte[], byte[]> reader) throws LogUnavailableException {
        long end = reader.endOffsets(List.of(PARTITION)).getOrDefault(PARTITION, 0L);
        if (reader.position(PARTITION) > end) {
            // The topic was recreated; the claims read so far are from the previous topic.
            reader.seekToBeginning(List.of(PARTITION));
            last = Optional.empty();
        }
        Instant deadline = clock.instant().plus(PATIENCE);
        while (reader.position(PARTITION) < end) {
            for (ConsumerRecord<byte[], byte[]> read : reader.poll(POLL)) {
                last = claim(read).or(() -> last);
            }
            if (clock.instant().isAfter(deadline)) {
                throw new LogUnavailableException(
                        "topic " + TOPIC + " was not read to its end within " + PATIENCE.toSeconds() + " s");
            }
        }
    }

    private Optional<Claim> claim(ConsumerRecord<byte[], byte[]> read) {
        boolean ours = read.key() != null
                && new String(read.key(), StandardCharsets.UTF_8).equals(seal.deployment())
                && read.value() != null;
        return ours ? seal.open(read.value()) : Optional.empty();
    }

    private void ensureTopic() throws InterruptedException {
        if (exists()) {
            return;
        }
        try {
            creator.create(TOPIC, 1, Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT));
        } catch (TopicExistsException e) {
            LOGGER.debug("Another writer made topic {}", TOPIC, e);
        }
    }
}
