package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

import dev.tidemark.catalog.DefinitionsTopic;
import dev.tidemark.kafka.DefinitionRecords;
import dev.tidemark.kafka.Interruptions;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.TreeSize;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.worker.catalog.DefinitionSource;

/**
 * Reads the definitions from their topic, from its beginning and without a group, as soon as the writer has made it.
 */
public final class KafkaDefinitionSource implements DefinitionSource {
    private static final TopicPartition PARTITION = new TopicPartition(DefinitionsTopic.NAME, 0);

    /** Looking for the topic makes the brokers list all of theirs. */
    private static final Duration ABSENT = Duration.ofSeconds(1);

    private final Consumer<byte[], byte[]> consumer;
    private final MemoryBudget.Part memory;
    private boolean assigned;
    private boolean level;
    private long end;
    private Optional<News> newest = Optional.empty();

    /**
     * A source that is read from its beginning.
     *
     * @param memory counts what a record becomes while it is read, whether there is memory left or not
     */
    public KafkaDefinitionSource(ConsumerSettings settings, MemoryBudget.Part memory) {
        this(new KafkaConsumer<>(settings.oneByOne("definitions")), memory);
    }

    KafkaDefinitionSource(Consumer<byte[], byte[]> consumer, MemoryBudget.Part memory) {
        this.consumer = consumer;
        this.memory = memory;
    }

    @Override
    public Optional<News> poll(Duration patience) throws InterruptedException {
        try {
            if (!assigned()) {
                BoundedWait.rest(ABSENT);
                return Optional.empty();
            }
            return read(patience);
        } catch (InterruptException e) {
            throw Interruptions.checked(e);
        }
    }

    @Override
    public void close() {
        consumer.close();
    }

    /**
     * Assigns the topic once it exists, and returns whether it is assigned. A consumer of a missing topic would log
     * warnings all the time, so the topic is looked up first.
     */
    private boolean assigned() {
        if (!assigned && consumer.listTopics().containsKey(DefinitionsTopic.NAME)) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            end = consumer.endOffsets(List.of(PARTITION)).getOrDefault(PARTITION, 0L);
            assigned = true;
        }
        return assigned;
    }

    private Optional<News> read(Duration patience) {
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(patience)) {
            byte[] value = message.value();
            MemoryBudget.Reservation held = memory.reserve(value == null ? 0 : TreeSize.mostBytes(value));
            try {
                if (value != null) {
                    newest = Optional.of(new News(DefinitionRecords.read(message)));
                }
            } finally {
                held.close();
            }
        }
        level = level || consumer.position(PARTITION) >= end;
        if (!level) {
            return Optional.empty();
        }
        Optional<News> found = newest;
        newest = Optional.empty();
        return found;
    }
}
