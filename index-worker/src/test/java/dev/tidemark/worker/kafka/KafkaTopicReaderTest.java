package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.Map;

import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

import dev.tidemark.kafka.PollAllowance;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.testkit.AllowedConsumer;
import dev.tidemark.worker.forecast.TopicReader;
import dev.tidemark.worker.store.ShardId;

import static org.assertj.core.api.Assertions.assertThat;

class KafkaTopicReaderTest {
    private static final TopicPartition PARTITION = Partitions.of(new ShardId("films", 0));
    private static final int RECORDS = 200;
    private static final int RECORD_BYTES = 1 << 20;

    private final PollAllowance allowance = new PollAllowance();
    private final AllowedConsumer consumer = new AllowedConsumer(allowance);
    private final MemoryBudget.Part memory = new MemoryBudget(64 << 20).part("builds", 1);
    private final KafkaTopicReader reader = new KafkaTopicReader(
            consumer, allowance, memory.tryReserve(16 << 20).orElseThrow());

    @Test
    void aPollGivesNoMoreBytesThanAreReservedForIt() throws Exception {
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        consumer.updateEndOffsets(Map.of(PARTITION, (long) RECORDS));
        consumer.fill(PARTITION, RECORDS, RECORD_BYTES);
        assertThat(reader.begin("films", 1)).isEqualTo(RECORDS);

        long read = 0;
        long position = 0;
        while (position < RECORDS) {
            TopicReader.Piece piece = reader.poll(Duration.ZERO);
            assertThat(piece.records()).hasSizeBetween(1, 5);
            read += piece.records().size();
            position = piece.position();
        }

        assertThat(read).isEqualTo(RECORDS);
        reader.close();
        assertThat(memory.reserved()).isZero();
    }
}
