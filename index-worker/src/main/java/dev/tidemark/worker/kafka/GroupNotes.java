package dev.tidemark.worker.kafka;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.progress.OffsetNote;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

/** What a member of the group tells onlookers, beside the offsets it commits. Belongs to the consumer's thread. */
final class GroupNotes {
    private static final Logger LOGGER = LoggerFactory.getLogger(GroupNotes.class);

    private final KafkaConsumer<?, ?> consumer;

    GroupNotes(KafkaConsumer<?, ?> consumer) {
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
                new OffsetAndMetadata(checkpoint.nextOffset(), OffsetNote.write(checkpoint.progress()))));
        offsets.keySet().retainAll(consumer.assignment());
        if (offsets.isEmpty()) {
            // The client would call that a success without asking anybody.
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
     * Takes back what is noted of partitions, and waits until the group has taken that; their offsets stay.
     *
     * @throws KafkaException when the group did not take it; the notes may still be there
     */
    void withdraw(Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> blank = new HashMap<>();
        consumer.committed(Set.copyOf(partitions)).forEach((partition, noted) -> {
            if (noted != null && !noted.metadata().isEmpty()) {
                blank.put(partition, new OffsetAndMetadata(noted.offset(), ""));
            }
        });
        if (!blank.isEmpty()) {
            consumer.commitSync(blank);
        }
    }
}
