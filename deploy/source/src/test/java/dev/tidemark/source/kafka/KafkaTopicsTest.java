package dev.tidemark.source.kafka;

import java.time.Duration;
import java.util.List;

import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.junit.jupiter.api.Test;

import dev.tidemark.source.topic.Topics;

import static org.assertj.core.api.Assertions.assertThat;

class KafkaTopicsTest {
    private static final ConfigEntry COMPACT = new ConfigEntry("cleanup.policy", "compact");
    private static final ConfigEntry RETENTION = new ConfigEntry("delete.retention.ms", "60000");

    @Test
    void aBrokerThatReportsNoLagSparesNoRecord() {
        ConfigEntry lag = new ConfigEntry("min.compaction.lag.ms", "5000");
        assertThat(KafkaTopics.compaction(new Config(List.of(COMPACT, RETENTION, lag))))
                .contains(new Topics.Compaction(Duration.ofSeconds(5), Duration.ofMinutes(1)));
        assertThat(KafkaTopics.compaction(new Config(List.of(COMPACT, RETENTION))))
                .contains(new Topics.Compaction(Duration.ZERO, Duration.ofMinutes(1)));
    }

    @Test
    void whatABrokerDoesNotReportIsAsKafkaHasItUnset() {
        assertThat(KafkaTopics.compaction(new Config(List.of(COMPACT))))
                .contains(new Topics.Compaction(Duration.ZERO, Duration.ofDays(1)));
        assertThat(KafkaTopics.compaction(new Config(List.of()))).isEmpty();
    }
}
