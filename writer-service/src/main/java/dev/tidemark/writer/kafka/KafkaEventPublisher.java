package dev.tidemark.writer.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Supplier;

import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.PublishTimings;
import dev.tidemark.change.WireRecord;
import dev.tidemark.kafka.Interruptions;
import dev.tidemark.writer.outbox.EventPublisher;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;

/** Publishes to Kafka with an idempotent producer, which is recreated after every {@link #reset()}. */
public final class KafkaEventPublisher implements EventPublisher {
    /** How often a new producer, which knows no topic yet, waits for what it lacks. */
    private static final int ATTEMPTS = 10;

    /** Of each of those waits; short, because other topics wait too. */
    private static final int WAIT_MILLIS = 500;

    private final Supplier<Producer<byte[], byte[]>> producers;
    private final RecordRoom room;
    private final Runnable acknowledged;
    private final Map<String, ChangeCodec> codecs = new HashMap<>();

    /** Written by the relay, read by any thread that reports the client's metrics. */
    private volatile @Nullable Producer<byte[], byte[]> producer;

    /** Whether the producer has known a topic. */
    private boolean isWarm;

    /**
     * How often to wait for a topic that a warm producer does not know. Doubled each time that this was not enough:
     * where brokers are slow, the relay would begin again for ever. After the most it is one again, as the topic is
     * gone.
     */
    private int waits = 1;

    /**
     * A publisher.
     *
     * @param maxRequestBytes most bytes of any record: rows stay that are longer than clients may send now
     * @param patience time after which a topic that acknowledges nothing may be left out; its records fail later
     * @param room learns what topics have to take
     * @param acknowledged called by the producer's thread once the results of all messages of one {@link #begin} are
     *     known
     */
    public KafkaEventPublisher(
            KafkaClientSettings settings,
            int maxRequestBytes,
            Duration patience,
            RecordRoom room,
            Runnable acknowledged) {
        this(() -> new KafkaProducer<>(impatient(settings.producer(maxRequestBytes, patience))), room, acknowledged);
    }

    /**
     * A publisher.
     *
     * @param producers makes the next one after a reset
     */
    KafkaEventPublisher(Supplier<Producer<byte[], byte[]>> producers, RecordRoom room, Runnable acknowledged) {
        this.producers = producers;
        this.room = room;
        this.acknowledged = acknowledged;
    }

    private static Properties impatient(Properties settings) {
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, WAIT_MILLIS);
        return settings;
    }

    @Override
    public Sending begin(List<Publication> messages) throws PublishException, InterruptedException {
        try {
            Producer<byte[], byte[]> current = producer();
            // The highest partition first: a topic that another process created may lack it, and then nothing was sent.
            List<Publication> ordered = messages.stream()
                    .sorted(Comparator.comparingInt(Publication::partition).reversed())
                    .toList();
            InFlightRecords sent = new InFlightRecords(ordered, room, acknowledged);
            give(current, sent, ordered);
            return sent;
        } catch (InterruptException e) {
            throw Interruptions.checked(e);
        } catch (KafkaException e) {
            throw new PublishException("a record could not be sent: " + InFlightRecords.reason(e), e);
        }
    }

    /**
     * Gives messages to the producer until one fails at once. If a warm producer does not know a topic, this does not
     * wait long: the next inspection of the topics shows whether it is gone, and then only its table waits.
     */
    private void give(Producer<byte[], byte[]> current, InFlightRecords sent, List<Publication> messages)
            throws PublishException, InterruptedException {
        boolean goesOn = true;
        for (int i = 0; goesOn && i < messages.size(); i++) {
            ProducerRecord<byte[], byte[]> record = record(messages.get(i));
            Optional<Throwable> failure = sent.add(() -> current.send(record, sent), this::attempts);
            if (i == 0
                    && isWarm
                    && failure.filter(KafkaEventPublisher::isUnknownTopic).isPresent()) {
                waits = waits < ATTEMPTS ? Math.min(ATTEMPTS, 2 * waits) : 1;
                throw new PublishException(
                        "topic " + record.topic()
                                + " is not there at the moment, lacks partitions, or no broker answers",
                        failure.get());
            }
            goesOn = failure.isEmpty();
            isWarm |= goesOn;
        }
    }

    private int attempts(Throwable failure) {
        if (isWarm && isUnknownTopic(failure)) {
            return waits;
        }
        return failure instanceof TimeoutException ? ATTEMPTS : 1;
    }

    private static boolean isUnknownTopic(Throwable failure) {
        return failure instanceof TimeoutException && !(failure instanceof BufferExhaustedException);
    }

    @Override
    public void reset() {
        Producer<byte[], byte[]> current = producer;
        producer = null;
        isWarm = false;
        if (current != null) {
            try {
                current.close(Duration.ZERO);
            } catch (InterruptException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The metrics of the producer in use; for any thread. */
    public Map<MetricName, ? extends Metric> metrics() {
        Producer<byte[], byte[]> current = producer;
        return current == null ? Map.of() : current.metrics();
    }

    private Producer<byte[], byte[]> producer() {
        Producer<byte[], byte[]> current = producer;
        if (current == null) {
            current = producers.get();
            producer = current;
        }
        return current;
    }

    private ProducerRecord<byte[], byte[]> record(Publication message) {
        WireRecord wire =
                codecs.computeIfAbsent(message.table(), ChangeCodec::new).encode(message.message());
        String topic = ChangeTopic.nameFor(message.table());
        room.sent(
                topic,
                wire.key().length() + (wire.value() == null ? 0 : wire.value().length()));
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                topic,
                message.partition(),
                wire.key().array(),
                wire.value() == null ? null : wire.value().array());
        wire.headers().forEach((name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        record.headers()
                .add(ExpectedPosition.HEADER, message.expectation().text().getBytes(StandardCharsets.UTF_8));
        message.source()
                .ifPresent(name -> record.headers().add(ChangeCodec.ROW_SOURCE, name.getBytes(StandardCharsets.UTF_8)));
        if (!message.handover().equals(PublishTimings.UNKNOWN)) {
            record.headers()
                    .add(PublishTimings.HEADER, message.handover().text().getBytes(StandardCharsets.UTF_8));
        }
        return record;
    }
}
