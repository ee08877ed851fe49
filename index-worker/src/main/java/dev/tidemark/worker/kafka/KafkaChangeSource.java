package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.kafka.PollAllowance;
import dev.tidemark.worker.apply.PolledBatches;
import dev.tidemark.worker.consume.ChangeSource;
import dev.tidemark.worker.failpoint.WorkerFailpoint;
import dev.tidemark.worker.group.WorkerIdentity;
import dev.tidemark.worker.shard.StartPosition;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

/**
 * A Kafka consumer whose positions come from the shards. It publishes their progress in the metadata of the offsets
 * that it commits.
 */
public final class KafkaChangeSource implements ChangeSource {
    private static final Logger LOGGER = LoggerFactory.getLogger(KafkaChangeSource.class);

    /** Twice this is well below a lease, so that waiting is not taken for a process that does not run. */
    private static final Duration WITHDRAW_PATIENCE = Duration.ofSeconds(1);

    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);

    private final Consumer<byte[], byte[]> consumer;
    private final PartitionPolls polls;
    private final WorkerIdentity self;
    private final boolean isClassicStaticMember;
    private @Nullable Assignment member;

    /** Whether the last notes were refused for a reason that stays; of the polling thread. */
    private boolean refusedBefore;

    /**
     * Reads through a client, which it closes in the end.
     *
     * @param isClassicStaticMember {@link ConsumerSettings#isClassicStaticMember()}
     */
    KafkaChangeSource(
            Consumer<byte[], byte[]> consumer,
            WorkerIdentity self,
            boolean isClassicStaticMember,
            PollAllowance allowance) {
        this.consumer = consumer;
        this.self = self;
        this.isClassicStaticMember = isClassicStaticMember;
        this.polls = new PartitionPolls(consumer, allowance, new Records()::of, this::runs);
    }

    /**
     * Opens a member of the group.
     *
     * @param self whose notes it leaves
     */
    public static KafkaChangeSource open(ConsumerSettings settings, WorkerIdentity self) {
        PollAllowance allowance = new PollAllowance();
        return new KafkaChangeSource(
                new KafkaConsumer<>(settings.consumer(), allowance.keys(), allowance.values()),
                self,
                settings.isClassicStaticMember(),
                allowance);
    }

    /** The client's own metrics. */
    public Map<MetricName, ? extends Metric> metrics() {
        return consumer.metrics();
    }

    @Override
    public void follow(Set<String> tables, Assignment assignment) {
        member = assignment;
        consumer.subscribe(tables.stream().map(ChangeTopic::nameFor).toList(), new Rebalances(assignment));
    }

    @Override
    public PolledBatches poll(Duration patience, long bytes) {
        try {
            PolledBatches polled = polls.poll(patience, bytes);
            if (!polled.batches().isEmpty()) {
                WorkerFailpoint.POLL_TAKEN.hit();
            }
            return polled;
        } catch (FencedInstanceIdException e) {
            Assignment known = member;
            if (known != null) {
                known.lost(Partitions.shards(consumer.assignment()));
            }
            throw e;
        }
    }

    @Override
    public void startAt(ShardId shard, StartPosition position) {
        OptionalInt epoch = position.leaderEpoch();
        Optional<Integer> leaderEpoch = epoch.isPresent() ? Optional.of(epoch.getAsInt()) : Optional.empty();
        TopicPartition partition = Partitions.of(shard);
        consumer.seek(partition, new OffsetAndMetadata(position.offset(), leaderEpoch, ""));
        polls.placed(partition);
        WorkerFailpoint.ASSIGN_STARTED.hit();
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
        WorkerFailpoint.NOTE_BEFORE.hit();
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        progress.forEach((shard, checkpoint) -> offsets.put(
                Partitions.of(shard),
                new OffsetAndMetadata(
                        checkpoint.nextOffset(), self.note(checkpoint).toString())));
        offsets.keySet().retainAll(consumer.assignment());
        if (offsets.isEmpty()) {
            // The client would report success without a request to the brokers.
            return;
        }
        consumer.commitAsync(offsets, (noted, failure) -> {
            if (failure == null) {
                refusedBefore = false;
                taken.run();
                WorkerFailpoint.NOTE_TAKEN.hit();
            } else {
                notTaken(failure);
            }
        });
    }

    /** Without notes no other worker asks this one, and its leases end. */
    private void notTaken(Exception failure) {
        boolean passes = failure instanceof RetriableException
                || failure instanceof CommitFailedException
                || failure instanceof RebalanceInProgressException;
        if (passes || refusedBefore) {
            LOGGER.debug("Notes for onlookers were not taken", failure);
        } else {
            refusedBefore = true;
            LOGGER.warn("The notes by which other workers find this one are refused: {}", failure.toString());
        }
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(CLOSE_PATIENCE));
    }

    private void runs() {
        Assignment known = member;
        if (known != null) {
            known.runs();
        }
    }

    /**
     * Takes back what is noted of partitions, and waits a moment for the group to take that; their offsets stay. Where
     * it fails, the next note takes the place of the one before. Onlookers may read that one until then, which is no
     * reason to lose the partitions.
     */
    private void withdraw(Collection<TopicPartition> partitions) {
        try {
            Map<TopicPartition, OffsetAndMetadata> blank = new HashMap<>();
            consumer.committed(Set.copyOf(partitions), WITHDRAW_PATIENCE).forEach((partition, noted) -> {
                if (noted != null && !noted.metadata().isEmpty()) {
                    blank.put(partition, new OffsetAndMetadata(noted.offset(), ""));
                }
            });
            if (!blank.isEmpty()) {
                consumer.commitSync(blank, WITHDRAW_PATIENCE);
            }
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            LOGGER.warn("Notes of {} from before could not be taken back: {}", partitions, e.getMessage());
        }
    }

    /** Runs within poll, on the poll thread. */
    private final class Rebalances implements ConsumerRebalanceListener {
        private final Assignment assignment;
        private boolean mayLackTopics = isClassicStaticMember;

        Rebalances(Assignment assignment) {
            this.assignment = assignment;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            // Some position, so that none is looked up; it is not read before the shard gives the real one.
            consumer.pause(partitions);
            polls.came(partitions);
            partitions.forEach(partition -> consumer.seek(partition, 0));
            withdraw(partitions);
            assignment.assigned(Partitions.shards(partitions));
            if (mayLackTopics) {
                mayLackTopics = false;
                rejoinWhereTopicsLack();
            }
        }

        /** Has the group assign all partitions once more where this member has none of some topic that it follows. */
        private void rejoinWhereTopicsLack() {
            Set<String> lacking = new TreeSet<>(consumer.subscription());
            consumer.assignment().forEach(partition -> lacking.remove(partition.topic()));
            if (!lacking.isEmpty()) {
                consumer.enforceRebalance("a static member has no partition of " + lacking);
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            if (!partitions.isEmpty()) {
                assignment.revoked(Partitions.shards(partitions));
            }
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            assignment.lost(Partitions.shards(partitions));
        }
    }

    /** Opens members of the consumer group, one at a time, and shows the metrics of the one in use. */
    public static final class Factory implements Supplier<ChangeSource> {
        /** The client metrics that an operator looks at. */
        public static final List<String> SHOWN = List.of(
                "connection-count",
                "request-latency-avg",
                "request-rate",
                "incoming-byte-rate",
                "failed-authentication-total",
                "records-consumed-rate",
                "records-lag-max",
                "fetch-latency-avg",
                "rebalance-total");

        private final ConsumerSettings settings;
        private final WorkerIdentity self;
        private volatile @Nullable KafkaChangeSource current;

        public Factory(ConsumerSettings settings, WorkerIdentity self) {
            this.settings = settings;
            this.self = self;
        }

        @Override
        public ChangeSource get() {
            KafkaChangeSource source = open(settings, self);
            current = source;
            return source;
        }

        /** Metrics of the consumer in use; none before the first. */
        public Map<MetricName, ? extends Metric> metrics() {
            KafkaChangeSource source = current;
            return source == null ? Map.of() : source.metrics();
        }
    }
}
