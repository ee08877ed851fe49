package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.catalog.DefinitionsTopic;
import dev.tidemark.worker.define.DefinitionSource;

/** Reads the definitions from their topic, from its beginning and without a group, as soon as the writer has made it. */
public final class KafkaDefinitionSource implements DefinitionSource {
    private static final Logger LOGGER = LoggerFactory.getLogger(KafkaDefinitionSource.class);
    private static final TopicPartition PARTITION = new TopicPartition(DefinitionsTopic.NAME, 0);

    private final Consumer<byte[], byte[]> consumer;
    private boolean assigned;
    private boolean level;
    private long end;
    private Optional<Definitions> newest = Optional.empty();

    public KafkaDefinitionSource(ClientSettings settings) {
        this.consumer = new KafkaConsumer<>(settings.reader("definitions"));
    }

    @Override
    public Optional<Definitions> poll(Duration patience) throws InterruptedException {
        try {
            return assigned() ? read(patience) : Optional.empty();
        } catch (InterruptException e) {
            // Kafka leaves the flag set; whoever catches the checked exception expects it cleared.
            Thread.interrupted();
            InterruptedException interrupted = new InterruptedException(e.getMessage());
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    @Override
    public void close() {
        consumer.close();
    }

    /** A consumer that is told to read a topic that is not there complains all the time, so the topic is looked for first. */
    private boolean assigned() {
        if (!assigned && consumer.listTopics().containsKey(DefinitionsTopic.NAME)) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            end = consumer.endOffsets(List.of(PARTITION)).getOrDefault(PARTITION, 0L);
            assigned = true;
        }
        return assigned;
    }

    private Optional<Definitions> read(Duration patience) {
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(patience)) {
            read(message).ifPresent(definitions -> newest = Optional.of(definitions));
        }
        level = level || consumer.position(PARTITION) >= end;
        if (!level) {
            return Optional.empty();
        }
        Optional<Definitions> found = newest;
        newest = Optional.empty();
        return found;
    }

    private static Optional<Definitions> read(ConsumerRecord<byte[], byte[]> message) {
        try {
            return message.value() == null ? Optional.empty() : Optional.of(DefinitionsJson.read(message.value()));
        } catch (BadDefinitionsException e) {
            LOGGER.warn("Offset {} of topic {} is passed over: {}", message.offset(), message.topic(), e.getMessage());
            return Optional.empty();
        }
    }
}
