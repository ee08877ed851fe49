package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

import dev.tidemark.worker.store.ShardId;

/** A client in memory, of which polls fail as long as certain partitions are read, or the group does not answer. */
final class PartlyFailingConsumer extends MockConsumer<byte[], byte[]> {
    private final Map<TopicPartition, RuntimeException> bad = new HashMap<>();
    private @Nullable RuntimeException ofTheClient;
    private @Nullable KafkaException ofTheGroup;
    private @Nullable KafkaException ofCommits;
    private int polls;

    PartlyFailingConsumer() {
        super("none");
    }

    /** Polls fail while the partition is read. */
    void spoil(ShardId shard, RuntimeException failure) {
        bad.put(Partitions.of(shard), failure);
    }

    void mend(ShardId shard) {
        bad.remove(Partitions.of(shard));
    }

    /** Every poll fails. */
    void failAlways(RuntimeException failure) {
        ofTheClient = failure;
    }

    /** The group says nothing of offsets. */
    void loseGroup(KafkaException failure) {
        ofTheGroup = failure;
    }

    void give(ShardId shard, long offset) {
        TopicPartition partition = Partitions.of(shard);
        addRecord(new ConsumerRecord<>(partition.topic(), partition.partition(), offset, new byte[] {1}, null));
    }

    boolean isPaused(ShardId shard) {
        return paused().contains(Partitions.of(shard));
    }

    int polls() {
        return polls;
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        polls++;
        RuntimeException always = ofTheClient;
        if (always != null) {
            throw always;
        }
        for (Map.Entry<TopicPartition, RuntimeException> one : bad.entrySet()) {
            if (assignment().contains(one.getKey()) && !paused().contains(one.getKey())) {
                throw one.getValue();
            }
        }
        return super.poll(timeout);
    }

    /** Offsets that are committed are answered like this; null for success. */
    void answerCommits(@Nullable KafkaException failure) {
        ofCommits = failure;
    }

    @Override
    public synchronized void commitAsync(
            Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
        callback.onComplete(offsets, ofCommits);
    }

    @Override
    public synchronized Map<TopicPartition, OffsetAndMetadata> committed(
            Set<TopicPartition> partitions, Duration timeout) {
        KafkaException lost = ofTheGroup;
        if (lost != null) {
            throw lost;
        }
        return super.committed(partitions, timeout);
    }
}
