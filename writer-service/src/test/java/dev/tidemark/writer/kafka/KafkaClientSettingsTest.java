package dev.tidemark.writer.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KafkaClientSettingsTest {
    @Test
    void handsOnWhatTheUserSet() {
        KafkaClientSettings settings = new KafkaClientSettings(
                Map.of("bootstrap.servers", "broker:1", "security.protocol", "SSL", "linger.ms", "3"));

        assertThat(settings.producer(1_000))
                .containsEntry("bootstrap.servers", "broker:1")
                .containsEntry("security.protocol", "SSL")
                .containsEntry("linger.ms", "3");
        assertThat(settings.admin())
                .containsEntry("bootstrap.servers", "broker:1")
                .containsEntry("security.protocol", "SSL")
                .doesNotContainKey("linger.ms");
    }

    @Test
    void recordsFailOnlyAfterTopicsThatDoNotTakeThemAreLeftOut() {
        KafkaClientSettings settings = new KafkaClientSettings(Map.of("bootstrap.servers", "broker:1"));

        for (Duration patience : List.of(Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofHours(1))) {
            ProducerConfig producer = new ProducerConfig(settings.producer(1_000, patience));
            assertThat(producer.getInt("delivery.timeout.ms")).isGreaterThan((int) patience.toMillis());
        }
        assertThat(settings.producer(1_000, Duration.ofMillis(10))).containsEntry("delivery.timeout.ms", 30_000);
        assertThat(new KafkaClientSettings(Map.of("delivery.timeout.ms", "8000"))
                        .producer(1_000, Duration.ofSeconds(30)))
                .containsEntry("delivery.timeout.ms", "8000");
    }

    @Test
    void aReaderHoldsNoMoreThanItNeeds() {
        KafkaClientSettings settings = new KafkaClientSettings(Map.of("max.poll.records", "500"));

        assertThat(settings.reader()).containsEntry("fetch.max.bytes", 16 << 20);
        assertThat(settings.oneByOne()).containsEntry("max.poll.records", 1);
    }

    @Test
    void keepsWhatOrderAndDurabilityRestOn() {
        KafkaClientSettings settings = new KafkaClientSettings(Map.of(
                "bootstrap.servers", "broker:1",
                "acks", "1",
                "enable.idempotence", "false",
                "max.in.flight.requests.per.connection", "100"));

        ProducerConfig producer = new ProducerConfig(settings.producer(1_000));

        assertThat(producer.getBoolean("enable.idempotence")).isTrue();
        assertThat(producer.getString("acks")).isEqualTo("-1");
        assertThat(producer.getInt("max.in.flight.requests.per.connection")).isEqualTo(5);
    }
}
