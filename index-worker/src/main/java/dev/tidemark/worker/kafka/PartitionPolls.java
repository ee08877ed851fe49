package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.kafka.PollAllowance;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.LogRecord;
import dev.tidemark.worker.apply.PolledBatches;
import dev.tidemark.worker.store.ShardId;

/**
 * Polls a consumer. A failure of one partition is reported for that partition, which is paused. Only a failure of the
 * whole client is thrown. For one thread.
 */
final class PartitionPolls {
    private static final Logger LOGGER = LoggerFactory.getLogger(PartitionPolls.class);

    /** Longer than a broker holds back a fetch that has nothing to give. */
    private static final Duration PROBE = Duration.ofMillis(100);

    private final Consumer<byte[], byte[]> consumer;
    private final PollAllowance allowance;
    private final Function<ConsumerRecord<byte[], byte[]>, LogRecord> reading;

    private final Runnable runs;

    /** Partitions that came and have no position yet. */
    private final Set<TopicPartition> unplaced = new HashSet<>();

    /**
     * Polls of a client.
     *
     * @param runs called now and then in a poll that takes longer than was asked for
     */
    PartitionPolls(
            Consumer<byte[], byte[]> consumer,
            PollAllowance allowance,
            Function<ConsumerRecord<byte[], byte[]>, LogRecord> reading,
            Runnable runs) {
        this.consumer = consumer;
        this.allowance = allowance;
        this.reading = reading;
        this.runs = runs;
    }

    /** Partitions came, and must not be resumed before they have a position. */
    void came(Collection<TopicPartition> partitions) {
        unplaced.addAll(partitions);
    }

    /** A partition has its position. */
    void placed(TopicPartition partition) {
        unplaced.remove(partition);
    }

    /**
     * Polls for records.
     *
     * @param patience maximum time to wait
     * @param bytes approximate limit for the size of the records
     */
    PolledBatches poll(Duration patience, long bytes) {
        allowance.begin(bytes);
        try {
            return new PolledBatches(batches(consumer.poll(patience)), Map.of(), Map.of());
        } catch (LogTruncationException e) {
            return broken(e.offsetOutOfRangePartitions(), "the log was truncated below what it has read");
        } catch (OffsetOutOfRangeException e) {
            return broken(e.offsetOutOfRangePartitions(), "the offset to go on from is no longer in the log");
        } catch (TopicAuthorizationException e) {
            Set<TopicPartition> refused = named(e, running());
            consumer.pause(refused);
            return failed(refused, e);
        } catch (RuntimeException e) {
            Set<TopicPartition> culprits = named(e, running());
            culprits.forEach(this::putAside);
            return culprits.isEmpty() ? search(e) : failed(culprits, e);
        }
    }

    private Map<ShardId, ChangeBatch> batches(ConsumerRecords<byte[], byte[]> records) {
        Map<ShardId, ChangeBatch> batches = new HashMap<>();
        records.nextOffsets()
                .forEach((partition, next) -> batches.put(
                        Partitions.shard(partition),
                        new ChangeBatch(
                                records.records(partition).stream().map(reading).toList(),
                                next.offset(),
                                next.leaderEpoch().map(OptionalInt::of).orElse(OptionalInt.empty()))));
        return batches;
    }

    /** The partitions that are read at the moment. */
    private Set<TopicPartition> running() {
        Set<TopicPartition> running = new HashSet<>(consumer.assignment());
        running.removeAll(consumer.paused());
        return running;
    }

    /**
     * Resumes partitions, except for those that are no longer assigned or were assigned again and have no position yet.
     */
    private void goOn(Set<TopicPartition> partitions) {
        Set<TopicPartition> still = new HashSet<>(partitions);
        still.retainAll(consumer.assignment());
        still.removeAll(unplaced);
        consumer.resume(still);
    }

    /** Polls one partition after the other, where an exception does not say which one it is about. */
    private PolledBatches search(RuntimeException failure) {
        Set<TopicPartition> running = running();
        if (running.size() < 2 || !mayBeAboutAPartition(failure)) {
            throw failure;
        }
        Map<ShardId, ChangeBatch> batches = new HashMap<>();
        Set<TopicPartition> culprits = new HashSet<>();
        consumer.pause(running);
        for (TopicPartition partition : running) {
            runs.run();
            goOn(Set.of(partition));
            try {
                allowance.begin(1);
                batches.putAll(batches(consumer.poll(PROBE)));
            } catch (RuntimeException e) {
                culprits.add(partition);
            }
            consumer.pause(running());
        }
        if (culprits.size() == running.size()) {
            throw failure;
        }
        culprits.forEach(this::putAside);
        running.removeAll(culprits);
        goOn(running);
        return new PolledBatches(batches, Map.of(), failed(culprits, failure).failed());
    }

    /**
     * Pauses a partition, and makes the client forget what it has fetched of it: it would fail with that again, even
     * where the broker has sound records by now. The client forgets what is not at its position.
     */
    private void putAside(TopicPartition culprit) {
        Set<TopicPartition> others = running();
        others.remove(culprit);
        consumer.pause(others);
        try {
            long at = consumer.position(culprit, Duration.ZERO);
            consumer.seek(culprit, at + 1);
            goOn(Set.of(culprit));
            try {
                consumer.poll(Duration.ZERO);
            } finally {
                consumer.seek(culprit, at);
            }
        } catch (RuntimeException e) {
            LOGGER.debug("What was fetched of {} may not be forgotten", culprit, e);
        }
        consumer.pause(running());
        goOn(others);
    }

    private static PolledBatches failed(Set<TopicPartition> partitions, RuntimeException failure) {
        Map<ShardId, String> failed = new HashMap<>();
        partitions.forEach(partition -> failed.put(Partitions.shard(partition), reason(failure)));
        return new PolledBatches(Map.of(), Map.of(), failed);
    }

    private static PolledBatches broken(Map<TopicPartition, Long> partitions, String reason) {
        Map<ShardId, String> broken = new HashMap<>();
        partitions.forEach(
                (partition, offset) -> broken.put(Partitions.shard(partition), reason + " (" + offset + ")"));
        return new PolledBatches(Map.of(), broken, Map.of());
    }

    /**
     * Returns the partitions that the failure names, of those that are read. For a damaged batch, the client names the
     * partition only in the text of the exception.
     */
    private static Set<TopicPartition> named(RuntimeException failure, Set<TopicPartition> read) {
        Set<TopicPartition> named = new HashSet<>();
        if (failure instanceof TopicAuthorizationException refused) {
            read.stream()
                    .filter(partition -> refused.unauthorizedTopics().contains(partition.topic()))
                    .forEach(named::add);
            return named;
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String text = String.valueOf(cause.getMessage());
            read.stream().filter(partition -> names(text, partition)).forEach(named::add);
        }
        return named;
    }

    /**
     * Whether it may be about one partition although it names none. What brokers say of a request is about the client.
     */
    private static boolean mayBeAboutAPartition(RuntimeException failure) {
        if (failure instanceof InterruptException || failure instanceof WakeupException) {
            return false;
        }
        return !(failure instanceof ApiException) || failure instanceof CorruptRecordException;
    }

    /** Why, in the words of the first cause. */
    private static String reason(RuntimeException failure) {
        Throwable first = failure;
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            first = cause;
        }
        return String.valueOf(first.getMessage());
    }

    private static boolean names(String text, TopicPartition partition) {
        return Pattern.compile("(?<![\\w.-])" + Pattern.quote(partition.toString()) + "(?!\\d)")
                .matcher(text)
                .find();
    }
}
