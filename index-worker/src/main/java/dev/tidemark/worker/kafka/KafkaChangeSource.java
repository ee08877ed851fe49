package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.consume.ChangeSource;
import dev.tidemark.worker.lifecycle.StartPosition;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

/** A Kafka consumer whose positions come from the shards. */
public final class KafkaChangeSource implements ChangeSource {
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final GroupNotes notes;
    private final Records reading = new Records();

    public KafkaChangeSource(ClientSettings settings) {
        this.consumer = new KafkaConsumer<>(settings.consumer());
        this.notes = new GroupNotes(consumer);
    }

    /** The client's own metrics. */
    public Map<MetricName, ? extends Metric> metrics() {
        return consumer.metrics();
    }

    @Override
    public void follow(Set<String> tables, Assignment assignment) {
        consumer.subscribe(tables.stream().map(ChangeTopic::nameFor).toList(), new Rebalances(assignment));
    }

    @Override
    public Fetched poll(Duration patience) {
        try {
            return fetched(consumer.poll(patience));
        } catch (LogTruncationException e) {
            return broken(e.offsetOutOfRangePartitions(), "the log was truncated below what it has read");
        } catch (OffsetOutOfRangeException e) {
            return broken(e.offsetOutOfRangePartitions(), "the offset to go on from is no longer in the log");
        }
    }

    @Override
    public void startAt(ShardId shard, StartPosition position) {
        OptionalInt epoch = position.leaderEpoch();
        Optional<Integer> known = epoch.isPresent() ? Optional.of(epoch.getAsInt()) : Optional.empty();
        consumer.seek(Partitions.of(shard), new OffsetAndMetadata(position.offset(), known, ""));
    }

    @Override
    public void pause(List<ShardId> shards) {
        consumer.pause(Partitions.of(shards));
    }

    @Override
    public void resume(List<ShardId> shards) {
        consumer.resume(Partitions.of(shards));
    }

    @Override
    public void note(Map<ShardId, ShardCheckpoint> progress, Runnable taken) {
        notes.write(progress, taken);
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(CLOSE_PATIENCE));
    }

    private Fetched fetched(ConsumerRecords<byte[], byte[]> records) {
        Map<ShardId, ChangeBatch> batches = new HashMap<>();
        records.nextOffsets()
                .forEach((partition, next) -> batches.put(
                        Partitions.shard(partition),
                        new ChangeBatch(
                                records.records(partition).stream()
                                        .map(reading::of)
                                        .toList(),
                                next.offset(),
                                next.leaderEpoch().map(OptionalInt::of).orElse(OptionalInt.empty()))));
        return new Fetched(batches, Map.of());
    }

    private static Fetched broken(Map<TopicPartition, Long> partitions, String reason) {
        Map<ShardId, String> broken = new HashMap<>();
        partitions.forEach(
                (partition, offset) -> broken.put(Partitions.shard(partition), reason + " (" + offset + ")"));
        return new Fetched(Map.of(), broken);
    }

    /** Runs within poll, on the poll thread. */
    private final class Rebalances implements ConsumerRebalanceListener {
        private final Assignment assignment;

        Rebalances(Assignment assignment) {
            this.assignment = assignment;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            // Some position, so that none is looked up; it is not read before the shard gives the real one.
            consumer.pause(partitions);
            partitions.forEach(partition -> consumer.seek(partition, 0));
            notes.withdraw(partitions);
            assignment.assigned(Partitions.shards(partitions));
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            if (!partitions.isEmpty()) {
                assignment.revoked(Partitions.shards(partitions));
            }
        }
    }
}
