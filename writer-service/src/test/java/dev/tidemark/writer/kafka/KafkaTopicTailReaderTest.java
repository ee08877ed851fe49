package dev.tidemark.writer.kafka;

import java.time.Duration;
import java.util.Optional;
import java.util.Properties;

import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.kafka.PollAllowance;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.testkit.AllowedConsumer;
import dev.tidemark.writer.outbox.EventPublisher.Shard;
import dev.tidemark.writer.outbox.TopicTailReader;

import static org.assertj.core.api.Assertions.assertThat;

class KafkaTopicTailReaderTest {
    private static final int RECORDS = 200;

    private final Shard shard = new Shard("customers", 0);
    private final PollAllowance allowance = new PollAllowance();
    private final AllowedConsumer consumer = new AllowedConsumer(allowance);
    private final KafkaTopicTailReader tails = new KafkaTopicTailReader(allowance, () -> consumer, new SteadyClock());

    @Test
    void aPieceHasFewOfManyLargeRecords() throws Exception {
        fill();

        for (long from = 0; from < RECORDS; ) {
            long next = tails.read(shard, from, RECORDS).next();
            assertThat(next - from).isBetween(1L, 5L);
            from = next;
        }
    }

    @Test
    void toLookAtOneRecordOneIsRead() throws Exception {
        fill();

        assertThat(tails.first(shard, 7))
                .contains(new TopicTailReader.Found(7, Optional.empty(), ExpectedPosition.NONE));

        assertThat(consumer.position(partition())).isEqualTo(8);
    }

    @Test
    void theConsumerIsClosedOnceAndWithinABound() throws Exception {
        WatchedConsumer watched = new WatchedConsumer(ChangeTopic.nameFor(shard.table()));
        watched.give(0, new byte[] {'x'});
        KafkaTopicTailReader released = new KafkaTopicTailReader(new PollAllowance(), () -> watched, new SteadyClock());
        assertThat(released.first(shard, 0)).isPresent();

        released.release();
        released.release();

        assertThat(watched.closes()).containsExactly(Optional.of(Duration.ofSeconds(1)));
    }

    @Test
    void aFetchAtTheEndOfOnePartitionHoldsUpTheNextOneForMillisecondsOnly() {
        assertThat(KafkaTopicTailReader.oneAfterTheOther(new Properties()))
                .containsEntry(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 10)
                .containsEntry(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    }

    private void fill() {
        consumer.fill(partition(), RECORDS, 1 << 20);
    }

    private TopicPartition partition() {
        return new TopicPartition(ChangeTopic.nameFor(shard.table()), 0);
    }
}
