package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

import dev.tidemark.kafka.PollAllowance;
import dev.tidemark.testkit.AllowedConsumer;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.PolledBatches;
import dev.tidemark.worker.store.ShardId;

import static org.assertj.core.api.Assertions.assertThat;

class KafkaBackfillSourceTest {
    private static final ShardId GONE = new ShardId("films", 0);
    private static final ShardId WHOLE = new ShardId("people", 0);
    private static final int RECORDS = 200;
    private static final int RECORD_BYTES = 1 << 20;

    private final PartlyFailingConsumer consumer = new PartlyFailingConsumer();
    private final KafkaBackfillSource source =
            new KafkaBackfillSource(consumer, new PollAllowance(), Records::withoutDetails);

    @Test
    void aPartitionWhoseBeginningIsGoneIsToldOnceAndLeavesTheOthersAlone() {
        consumer.updateBeginningOffsets(Map.of(Partitions.of(GONE), 7L, Partitions.of(WHOLE), 0L));
        source.read(Map.of(GONE, 0L, WHOLE, 0L));
        consumer.give(GONE, 7);

        PolledBatches first = poll();

        assertThat(first.broken()).containsOnlyKeys(GONE);
        assertThat(first.broken().get(GONE)).contains("no longer in the log");
        assertThat(first.failed()).isEmpty();
        consumer.give(WHOLE, 0);
        PolledBatches second = poll();
        assertThat(second.broken()).isEmpty();
        assertThat(second.batches()).containsOnlyKeys(WHOLE);
        assertThat(second.batches().get(WHOLE))
                .satisfies(batch -> assertThat(batch.records()).hasSize(1));
    }

    @Test
    void aPartitionThatIsLetGoAndReadFromItsNewBeginningIsRead() {
        consumer.updateBeginningOffsets(Map.of(Partitions.of(GONE), 7L, Partitions.of(WHOLE), 0L));
        source.read(Map.of(GONE, 0L, WHOLE, 0L));
        consumer.give(GONE, 7);
        poll();

        source.read(Map.of(GONE, 7L));

        assertThat(poll().batches()).containsOnlyKeys(GONE);
    }

    @Test
    void aPollGivesNoMoreBytesThanAreAllowed() {
        PollAllowance allowance = new PollAllowance();
        AllowedConsumer large = new AllowedConsumer(allowance);
        KafkaBackfillSource whole = new KafkaBackfillSource(large, allowance, new Records()::of);
        TopicPartition partition = Partitions.of(WHOLE);
        large.updateBeginningOffsets(Map.of(partition, 0L));
        large.updateEndOffsets(Map.of(partition, (long) RECORDS));
        whole.read(Map.of(WHOLE, 0L));
        large.fill(partition, RECORDS, RECORD_BYTES);
        assertThat(whole.startOffset(WHOLE)).isZero();
        assertThat(whole.endOffset(WHOLE)).isEqualTo(RECORDS);

        long read = 0;
        while (read < RECORDS) {
            ChangeBatch batch = Objects.requireNonNull(
                    whole.poll(Duration.ZERO, 4L * RECORD_BYTES).batches().get(WHOLE));
            assertThat(batch.records()).hasSizeBetween(1, 5);
            read += batch.records().size();
            assertThat(batch.nextOffset()).isEqualTo(read);
        }
    }

    private PolledBatches poll() {
        return source.poll(Duration.ZERO, 1_000);
    }
}
