package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

import dev.tidemark.kafka.PollAllowance;
import dev.tidemark.worker.backfill.BackfillSource;
import dev.tidemark.worker.store.ShardId;

/** A Kafka consumer without a group. */
public final class KafkaBackfillSource implements BackfillSource {
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);

    private static final Duration END_PATIENCE = Duration.ofSeconds(1);

    private final Consumer<byte[], byte[]> consumer;
    private final PartitionPolls polls;

    public KafkaBackfillSource(ConsumerSettings settings) {
        this(settings, new PollAllowance());
    }

    private KafkaBackfillSource(ConsumerSettings settings, PollAllowance allowance) {
        this(new KafkaConsumer<>(whole(settings), allowance.keys(), allowance.values()), allowance);
    }

    /** Reads through a client, which it closes in the end. */
    KafkaBackfillSource(Consumer<byte[], byte[]> consumer, PollAllowance allowance) {
        this.consumer = consumer;
        this.polls = new PartitionPolls(consumer, allowance, Records::withoutDetails, () -> {});
    }

    private static Map<String, Object> whole(ConsumerSettings settings) {
        Map<String, Object> reader = settings.reader("copy");
        // An index must not be built from what is left where the beginning is gone.
        reader.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        return reader;
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
    public Read poll(Duration patience, long bytes) {
        PartitionPolls.Polled polled = polls.poll(patience, bytes);
        // A partition that is gone would fail again with each poll until it is let go.
        consumer.pause(Partitions.of(polled.broken().keySet()));
        return new Read(polled.batches(), polled.broken(), polled.failed());
    }

    @Override
    public long endOffset(ShardId shard) {
        TopicPartition partition = Partitions.of(shard);
        Long end = consumer.endOffsets(List.of(partition), END_PATIENCE).get(partition);
        if (end == null) {
            throw new IllegalStateException("Expected the end of " + partition + ", but the brokers do not give it");
        }
        return end;
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(CLOSE_PATIENCE));
    }
}
