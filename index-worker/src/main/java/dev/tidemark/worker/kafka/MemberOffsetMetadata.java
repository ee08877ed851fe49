package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

/**
 * Publishes the progress of a group member's shards in the metadata of the offsets that it commits. Belongs to the
 * consumer's thread.
 */
final class MemberOffsetMetadata {
    private static final Logger LOGGER = LoggerFactory.getLogger(MemberOffsetMetadata.class);

    /** Twice this is well below a lease, so that waiting is not taken for a process that does not run. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Consumer<?, ?> consumer;

    MemberOffsetMetadata(Consumer<?, ?> consumer) {
        this.consumer = consumer;
    }

    /**
     * Notes how far shards are; returns at once, and failing does no harm.
     *
     * @param taken called from within a later poll, when the group has taken it
     */
    void write(Map<ShardId, ShardCheckpoint> progress, Runnable taken) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        progress.forEach((shard, checkpoint) -> offsets.put(
                Partitions.of(shard),
                new OffsetAndMetadata(checkpoint.nextOffset(), checkpoint.progress().toNote())));
        offsets.keySet().retainAll(consumer.assignment());
        if (offsets.isEmpty()) {
            // The client would report success without a request to the brokers.
            return;
        }
        consumer.commitAsync(offsets, (noted, failure) -> {
            if (failure == null) {
                taken.run();
            } else {
                LOGGER.debug("Notes for onlookers were not taken", failure);
            }
        });
    }

    /**
     * Takes back what is noted of partitions, and waits a moment for the group to take that; their offsets stay. Where
     * it fails, the next note takes the place of the one before. Onlookers may read that one until then, which is no
     * reason to lose the partitions.
     */
    void withdraw(Collection<TopicPartition> partitions) {
        try {
            Map<TopicPartition, OffsetAndMetadata> blank = new HashMap<>();
            consumer.committed(Set.copyOf(partitions), PATIENCE).forEach((partition, noted) -> {
                if (noted != null && !noted.metadata().isEmpty()) {
                    blank.put(partition, new OffsetAndMetadata(noted.offset(), ""));
                }
            });
            if (!blank.isEmpty()) {
                consumer.commitSync(blank, PATIENCE);
            }
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            LOGGER.warn("Notes of {} from before could not be taken back: {}", partitions, e.getMessage());
        }
    }
}
