package dev.tidemark.writer.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.DefinitionsTopic;
import dev.tidemark.testkit.LoggedLines;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.catalog.LoggedDefinitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KafkaDefinitionLogTest {
    private final ProducerRecord<byte[], byte[]> produced = new ProducerRecord<>("definitions", new byte[] {1});

    private final InMemoryTopicAdmin cluster = new InMemoryTopicAdmin(3);
    private final WatchedConsumer consumer = new WatchedConsumer(DefinitionsTopic.NAME);
    private final Unending delivering = new Unending(true);

    @Test
    void closesTheConsumerThatItReadsWithWithinABound() throws Exception {
        cluster.add(DefinitionsTopic.NAME, 1, 1, Map.of());

        log().read(logged -> {});

        assertThat(consumer.closes()).containsExactly(Optional.of(Duration.ofSeconds(1)));
    }

    @Test
    void createsItsTopicWithTwoReplicasInSyncWhereThereAreThree() throws Exception {
        log().publish(new LoggedDefinitions("{}", 1, ""), 1);

        assertThat(cluster.settings(DefinitionsTopic.NAME))
                .containsEntry("min.insync.replicas", "2")
                .containsEntry("message.timestamp.type", "LogAppendTime")
                .containsEntry("cleanup.policy", "compact");
        assertThat(delivering.history()).hasSize(1);
    }

    @Test
    void warnsOnceOfATopicOfSomebodyElseThatAcknowledgesWhatOneReplicaHas() throws Exception {
        cluster.add(DefinitionsTopic.NAME, 1, 3, Map.of());
        KafkaDefinitionLog log = log();

        try (LoggedLines lines = LoggedLines.listen()) {
            log.read(logged -> {});
            log.publish(new LoggedDefinitions("{}", 1, ""), 1);
            log.read(logged -> {});

            assertThat(lines.all())
                    .filteredOn(line -> line.contains("min.insync.replicas"))
                    .singleElement()
                    .asString()
                    .contains(DefinitionsTopic.NAME);
        }
        assertThat(cluster.settings(DefinitionsTopic.NAME))
                .containsEntry("min.insync.replicas", "1")
                .containsEntry("message.timestamp.type", "LogAppendTime")
                .containsEntry("cleanup.policy", "compact");
    }

    @Test
    void publishesAlsoWhereTheClusterKeepsTheTimesOfRecords() throws Exception {
        cluster.add(DefinitionsTopic.NAME, 1, 1, Map.of("message.timestamp.type", "CreateTime"));
        cluster.keep("message.timestamp.type");
        KafkaDefinitionLog log = log();

        log.read(logged -> {});
        log.publish(new LoggedDefinitions("{}", 1, ""), 1);

        assertThat(delivering.history()).hasSize(1);
    }

    @Test
    void doesNotWaitForARecordThatIsNotDeliveredWithinItsPatience() {
        Unending producer = new Unending(false);

        assertThatThrownBy(() -> KafkaDefinitionLog.send(producer, produced, Duration.ofMillis(5)))
                .isInstanceOf(TimeoutException.class);

        assertThat(producer.closes).containsExactly(Duration.ZERO);
    }

    @Test
    void closesAProducerThatDelivered() throws Exception {
        Unending producer = new Unending(true);

        KafkaDefinitionLog.send(producer, produced, Duration.ofSeconds(5));

        assertThat(producer.history()).hasSize(1);
        assertThat(producer.closes).containsExactly(Duration.ZERO);
    }

    private KafkaDefinitionLog log() {
        return new KafkaDefinitionLog(cluster, Optional.empty(), () -> consumer, () -> delivering, new ManualClock());
    }

    /** A producer whose close without a bound would wait for what is not delivered. */
    private static final class Unending extends MockProducer<byte[], byte[]> {
        private final List<Duration> closes = new ArrayList<>();

        Unending(boolean delivers) {
            super(delivers, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public void close() {
            close(Duration.ofMillis(Long.MAX_VALUE));
        }

        @Override
        public void close(Duration atMost) {
            closes.add(atMost);
        }
    }
}
