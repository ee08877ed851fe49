package dev.tidemark.writer.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.change.ExpectedOffset;
import dev.tidemark.change.Handover;
import dev.tidemark.change.WireRecord;
import dev.tidemark.kafka.Interruptions;
import dev.tidemark.writer.outbox.EventPublisher;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;

/** Publishes to Kafka with an idempotent producer, which is made anew after every {@link #reset()}. */
public final class KafkaEventPublisher implements EventPublisher {
    private final ClientSettings settings;
    private final int maxRequestBytes;
    private final Runnable acknowledged;
    private final Map<String, ChangeCodec> codecs = new HashMap<>();

    /** Written by the relay, read by whoever shows the client's metrics. */
    private volatile @Nullable Producer<byte[], byte[]> producer;

    /**
     * A publisher.
     *
     * @param maxRequestBytes most bytes of a record
     * @param acknowledged called when it is known what became of all messages begun at once; by the producer's thread
     */
    public KafkaEventPublisher(ClientSettings settings, int maxRequestBytes, Runnable acknowledged) {
        this.settings = settings;
        this.maxRequestBytes = maxRequestBytes;
        this.acknowledged = acknowledged;
    }

    @Override
    public Sending begin(List<Publication> messages) throws PublishException, InterruptedException {
        try {
            Producer<byte[], byte[]> current = producer();
            SentRecords sent = new SentRecords(messages, acknowledged);
            for (Publication message : messages) {
                sent.add(current.send(record(message), sent));
            }
            return sent;
        } catch (InterruptException e) {
            throw Interruptions.checked(e);
        } catch (KafkaException e) {
            throw new PublishException("a record could not be sent: " + SentRecords.reason(e), e);
        }
    }

    @Override
    public void reset() {
        Producer<byte[], byte[]> current = producer;
        producer = null;
        if (current != null) {
            try {
                current.close(Duration.ZERO);
            } catch (InterruptException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What the producer in use says about itself; for any thread. */
    public Map<MetricName, ? extends Metric> metrics() {
        Producer<byte[], byte[]> current = producer;
        return current == null ? Map.of() : current.metrics();
    }

    private Producer<byte[], byte[]> producer() {
        Producer<byte[], byte[]> current = producer;
        if (current == null) {
            current = new KafkaProducer<>(settings.producer(maxRequestBytes));
            producer = current;
        }
        return current;
    }

    private ProducerRecord<byte[], byte[]> record(Publication message) {
        WireRecord wire =
                codecs.computeIfAbsent(message.table(), ChangeCodec::new).encode(message.message());
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                ChangeTopic.nameFor(message.table()),
                message.partition(),
                wire.key().array(),
                wire.value() == null ? null : wire.value().array());
        wire.headers().forEach((name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        record.headers()
                .add(
                        ExpectedOffset.HEADER,
                        ExpectedOffset.text(message.expectedOffset()).getBytes(StandardCharsets.UTF_8));
        if (!message.handover().equals(Handover.UNKNOWN)) {
            record.headers().add(Handover.HEADER, message.handover().text().getBytes(StandardCharsets.UTF_8));
        }
        return record;
    }
}
