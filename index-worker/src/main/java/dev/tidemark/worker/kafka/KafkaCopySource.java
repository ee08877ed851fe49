package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.build.CopySource;
import dev.tidemark.worker.store.ShardId;

/** A Kafka consumer without a group. */
public final class KafkaCopySource implements CopySource {
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);

    private final KafkaConsumer<byte[], byte[]> consumer;

    public KafkaCopySource(ClientSettings settings) {
        Map<String, Object> reader = settings.reader("copy");
        // An index must not be built from what is left where the beginning is gone.
        reader.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        this.consumer = new KafkaConsumer<>(reader);
    }

    @Override
    public void read(Map<ShardId, Long> from) {
        consumer.assign(Partitions.of(from.keySet()));
        consumer.resume(consumer.paused());
        from.forEach((shard, offset) -> consumer.seek(Partitions.of(shard), offset));
    }

    @Override
    public void rest(Collection<ShardId> resting) {
        List<TopicPartition> rest = Partitions.of(resting);
        Set<TopicPartition> others = new HashSet<>(consumer.paused());
        rest.forEach(others::remove);
        consumer.pause(rest);
        consumer.resume(others);
    }

    @Override
    public Map<ShardId, ChangeBatch> poll(Duration patience) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(patience);
        Map<ShardId, ChangeBatch> batches = new HashMap<>();
        records.nextOffsets()
                .forEach((partition, next) -> batches.put(
                        Partitions.shard(partition),
                        new ChangeBatch(
                                records.records(partition).stream()
                                        .map(Records::withoutDetails)
                                        .toList(),
                                next.offset(),
                                OptionalInt.empty())));
        return batches;
    }

    @Override
    public long endOffset(ShardId shard) {
        TopicPartition partition = Partitions.of(shard);
        Long end = consumer.endOffsets(List.of(partition)).get(partition);
        if (end == null) {
            throw new IllegalStateException("Expected the end of " + partition + ", but the brokers do not tell it");
        }
        return end;
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(CLOSE_PATIENCE));
    }
}
