package dev.tidemark.writer.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KafkaDefinitionLogTest {
    private final ProducerRecord<byte[], byte[]> produced = new ProducerRecord<>("definitions", new byte[] {1});

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
