package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

import dev.tidemark.kafka.PollAllowance;
import dev.tidemark.worker.apply.LogRecord;
import dev.tidemark.worker.apply.PolledBatches;
import dev.tidemark.worker.backfill.BackfillSource;
import dev.tidemark.worker.store.ShardId;

/** A Kafka consumer without a group. */
public final class KafkaBackfillSource implements BackfillSource {
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);

    private static final Duration OFFSET_PATIENCE = Duration.ofSeconds(1);

    private static final int FORECAST_FETCH = 4 << 20;

    private final Consumer<byte[], byte[]> consumer;
    private final PartitionPolls polls;

    /** Reads through a client, which it closes in the end. */
    KafkaBackfillSource(
            Consumer<byte[], byte[]> consumer,
            PollAllowance allowance,
            Function<ConsumerRecord<byte[], byte[]>, LogRecord> reading) {
        this.consumer = consumer;
        this.polls = new PartitionPolls(consumer, allowance, reading, () -> {});
    }

    /** A source for builds: an index must not be built from what is left where the beginning of a topic is gone. */
    public static KafkaBackfillSource forBuilds(ConsumerSettings settings) {
        Map<String, Object> reader = settings.reader("copy");
        reader.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        return open(reader, Records::withoutDetails);
    }

    /** A source for forecasts, which need whole records, in answers of a few megabytes. */
    public static KafkaBackfillSource forForecasts(ConsumerSettings settings) {
        Map<String, Object> reader = settings.reader("plan");
        reader.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FORECAST_FETCH);
        return open(reader, new Records()::of);
    }

    private static KafkaBackfillSource open(
            Map<String, Object> settings, Function<ConsumerRecord<byte[], byte[]>, LogRecord> reading) {
        PollAllowance allowance = new PollAllowance();
        return new KafkaBackfillSource(
                new KafkaConsumer<>(settings, allowance.keys(), allowance.values()), allowance, reading);
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
    public PolledBatches poll(Duration patience, long bytes) {
        PolledBatches polled = polls.poll(patience, bytes);
        // A partition that is gone would fail again with each poll until it is let go.
        consumer.pause(Partitions.of(polled.broken().keySet()));
        return polled;
    }

    @Override
    public long startOffset(ShardId shard) {
        TopicPartition partition = Partitions.of(shard);
        return offset(partition, consumer.beginningOffsets(List.of(partition), OFFSET_PATIENCE));
    }

    @Override
    public long endOffset(ShardId shard) {
        TopicPartition partition = Partitions.of(shard);
        return offset(partition, consumer.endOffsets(List.of(partition), OFFSET_PATIENCE));
    }

    private static long offset(TopicPartition partition, Map<TopicPartition, Long> offsets) {
        return Optional.ofNullable(offsets.get(partition))
                .orElseThrow(() -> new IllegalStateException(
                        "expected an offset of " + partition + ", but the brokers do not give it"));
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(CLOSE_PATIENCE));
    }
}
