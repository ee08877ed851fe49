package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.tidemark.memory.MemoryBudget;

import static org.assertj.core.api.Assertions.assertThat;

class KafkaDefinitionSourceTest {
    @Test
    @Timeout(60)
    void looksForAnAbsentTopicOnceASecondAtMost() throws Exception {
        Asked consumer = new Asked();
        KafkaDefinitionSource source =
                new KafkaDefinitionSource(consumer, MemoryBudget.unlimited().part("definitions", 1));
        long start = System.nanoTime();

        while (System.nanoTime() - start < Duration.ofMillis(1_500).toNanos()) {
            assertThat(source.poll(Duration.ofMillis(1))).isEmpty();
        }

        assertThat(consumer.listed).isLessThanOrEqualTo(2);
    }

    /** Counts how often all topics were listed. */
    private static final class Asked extends MockConsumer<byte[], byte[]> {
        private int listed;

        Asked() {
            super("earliest");
        }

        @Override
        public synchronized Map<String, List<PartitionInfo>> listTopics() {
            listed++;
            return Map.of();
        }
    }
}
