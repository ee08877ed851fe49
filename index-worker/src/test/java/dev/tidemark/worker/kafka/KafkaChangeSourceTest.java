package dev.tidemark.worker.kafka;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.kafka.PollAllowance;
import dev.tidemark.testkit.LoggedLines;
import dev.tidemark.worker.apply.PolledBatches;
import dev.tidemark.worker.consume.ChangeSource;
import dev.tidemark.worker.group.WorkerIdentity;
import dev.tidemark.worker.shard.StartPosition;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KafkaChangeSourceTest {
    private static final ShardId ONE = new ShardId("films", 1);
    private static final ShardId TWELVE = new ShardId("films", 12);
    private static final ShardId OTHER = new ShardId("people", 0);

    private final PartlyFailingConsumer consumer = new PartlyFailingConsumer();
    private final KafkaChangeSource source = new KafkaChangeSource(
            consumer,
            new WorkerIdentity(URI.create("http://127.0.0.1:8082"), "worker-1", ""),
            true,
            new PollAllowance());
    private final Told told = new Told();

    @BeforeEach
    void assign() {
        source.follow(Set.of("films", "people"), told);
        consumer.rebalance(Partitions.of(List.of(ONE, TWELVE, OTHER)));
        start(ONE, TWELVE, OTHER);
    }

    @Test
    void aDamagedBatchPausesItsPartitionOnly() {
        consumer.spoil(
                ONE,
                new KafkaException(
                        "Received exception when fetching the next record from " + Partitions.of(ONE)
                                + ". If needed, please seek past the record to continue consumption.",
                        new KafkaException("Record batch is invalid, cause: Record is corrupt")));
        consumer.give(TWELVE, 0);

        PolledBatches fetched = poll();

        assertThat(fetched.failed()).containsOnlyKeys(ONE);
        assertThat(fetched.failed().get(ONE)).contains("Record is corrupt");
        assertThat(consumer.isPaused(ONE)).isTrue();
        assertThat(consumer.isPaused(TWELVE)).isFalse();
        assertThat(consumer.isPaused(OTHER)).isFalse();
        assertThat(poll().batches()).containsOnlyKeys(TWELVE);
    }

    @Test
    void aPartitionThatFailedIsReadFromWhereItWas() {
        consumer.spoil(ONE, new KafkaException("cannot read " + Partitions.of(ONE)));
        poll();
        consumer.mend(ONE);
        assertThat(consumer.position(Partitions.of(ONE))).isZero();
        start(ONE);
        consumer.give(ONE, 0);

        assertThat(poll().batches().get(ONE))
                .satisfies(batch -> assertThat(batch.records()).hasSize(1));
    }

    @Test
    void notesThatAreRefusedAreWarnedOfOnce() {
        try (LoggedLines lines = LoggedLines.listen()) {
            consumer.answerCommits(new TimeoutException("the coordinator is away"));
            note();
            assertThat(lines.all()).noneMatch(line -> line.contains("refused"));

            consumer.answerCommits(new OffsetMetadataTooLarge("too large"));
            note();
            note();
            assertThat(lines.all())
                    .filteredOn(line -> line.contains("refused"))
                    .singleElement()
                    .asString()
                    .contains("OffsetMetadataTooLarge");

            consumer.answerCommits(null);
            assertThat(note()).isTrue();
            consumer.answerCommits(new OffsetMetadataTooLarge("too large"));
            assertThat(note()).isFalse();
            assertThat(lines.all()).filteredOn(line -> line.contains("refused")).hasSize(2);
        }
    }

    private boolean note() {
        AtomicBoolean taken = new AtomicBoolean();
        source.note(Map.of(ONE, ShardCheckpoint.EMPTY), () -> taken.set(true));
        return taken.get();
    }

    @Test
    void theGroupIsAskedOnceMoreForATableOfWhichNothingCameFirst() {
        assertThat(consumer.shouldRebalance()).isFalse();
        source.follow(Set.of("films", "people", "towns"), told);
        consumer.rebalance(Partitions.of(List.of(ONE, TWELVE, OTHER)));
        assertThat(consumer.shouldRebalance()).isTrue();

        consumer.resetShouldRebalance();
        consumer.rebalance(Partitions.of(List.of(ONE, OTHER)));
        assertThat(consumer.shouldRebalance()).isFalse();
    }

    @Test
    void aTopicThatMayNotBeReadLeavesOthersAlone() {
        TopicPartition refused = Partitions.of(OTHER);
        consumer.spoil(OTHER, new TopicAuthorizationException(Set.of(refused.topic())));
        consumer.give(ONE, 0);

        assertThat(poll().failed()).containsOnlyKeys(OTHER);
        assertThat(poll().batches()).containsOnlyKeys(ONE);
    }

    @Test
    void theRefusalOfATopicThatIsNotReadHereHarmsNothing() {
        consumer.failAlways(new TopicAuthorizationException(Set.of("another")));

        assertThat(poll().failed()).isEmpty();
    }

    @Test
    void findsThePartitionThatAnExceptionDoesNotName() {
        consumer.spoil(TWELVE, new KafkaException("something is wrong with a batch"));
        consumer.give(ONE, 0);
        consumer.give(OTHER, 0);

        PolledBatches fetched = poll();

        assertThat(fetched.failed()).containsOnlyKeys(TWELVE);
        assertThat(fetched.batches()).containsOnlyKeys(ONE, OTHER);
        assertThat(consumer.paused()).containsExactly(Partitions.of(TWELVE));
    }

    @Test
    void tellsThatItRunsForEachPartitionThatItTries() {
        consumer.spoil(TWELVE, new KafkaException("something is wrong with a batch"));

        poll();

        assertThat(told.beats).isEqualTo(3);
    }

    @Test
    void whatFailsForEveryPartitionFailsForTheClient() {
        KafkaException broken = new KafkaException("something is wrong with everything");
        consumer.failAlways(broken);

        assertThatThrownBy(this::poll).isSameAs(broken);
    }

    @Test
    void anAuthenticationThatFailsIsNoPartitionsFault() {
        consumer.failAlways(new SaslAuthenticationException("expired"));

        assertThatThrownBy(this::poll).hasMessage("expired");

        assertThat(consumer.polls()).isEqualTo(1);
        assertThat(told.lost).isEmpty();
    }

    @Test
    void anotherMemberOfTheSameNameMeansThatThePartitionsAreLost() {
        consumer.failAlways(new FencedInstanceIdException("another one"));

        assertThatThrownBy(this::poll).hasMessage("another one");

        assertThat(told.lost).containsExactlyInAnyOrder(ONE, TWELVE, OTHER);
    }

    @Test
    void anOffsetThatIsGoneBreaksItsPartitionOnly() {
        consumer.spoil(ONE, new OffsetOutOfRangeException(Map.of(Partitions.of(ONE), 7L)));

        PolledBatches fetched = poll();

        assertThat(fetched.broken()).containsOnlyKeys(ONE);
        assertThat(fetched.failed()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void partitionsComeThoughNotesFromBeforeCannotBeTakenBack(boolean late) {
        consumer.loseGroup(late ? new TimeoutException("too late") : new RebalanceInProgressException("once more"));
        ShardId more = new ShardId("people", 1);
        List<ShardId> all = List.of(ONE, TWELVE, OTHER, more);

        consumer.rebalance(Partitions.of(all));

        assertThat(told.assigned).contains(more);
    }

    private PolledBatches poll() {
        return source.poll(Duration.ZERO, 1_000);
    }

    private void start(ShardId... shards) {
        for (ShardId shard : shards) {
            source.startAt(shard, StartPosition.BEGINNING);
        }
        source.resume(List.of(shards));
    }

    private static final class Told implements ChangeSource.Assignment {
        private final List<ShardId> assigned = new ArrayList<>();
        private final List<ShardId> lost = new ArrayList<>();
        private int beats;

        @Override
        public void assigned(Collection<ShardId> shards) {
            assigned.addAll(shards);
        }

        @Override
        public void revoked(Collection<ShardId> shards) {
            assigned.removeAll(shards);
        }

        @Override
        public void lost(Collection<ShardId> shards) {
            lost.addAll(shards);
        }

        @Override
        public void runs() {
            beats++;
        }
    }
}
