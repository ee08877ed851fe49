package dev.tidemark.writer.kafka;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.PublishTimings;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.outbox.EventPublisher.Sending;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;
import dev.tidemark.writer.outbox.TopicFailedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the publisher does where the producer would wait. */
class KafkaEventPublisherTest {
    private static final String TOPIC = "tidemark.changes.movies";
    private static final Heartbeat HEARTBEAT = new Heartbeat(Instant.EPOCH, RowVersion.NONE);

    private final InMemoryProducer producer = new InMemoryProducer();
    private final List<String> rings = new ArrayList<>();
    private final RecordRoom room = new RecordRoom(1_000);
    private final KafkaEventPublisher publisher =
            new KafkaEventPublisher(() -> producer, room, () -> rings.add("done"));

    @Test
    void aTopicThatIsGoneIsWaitedForOnceAndNothingIsSentToIt() throws Exception {
        publisher.begin(messages(1));
        producer.partitions = 0;
        producer.attempts = 0;

        assertThatThrownBy(() -> publisher.begin(messages(3)))
                .isInstanceOf(PublishException.class)
                .hasMessage("topic " + TOPIC + " is not there at the moment, lacks partitions, or no broker answers");

        assertThat(producer.attempts).isEqualTo(1);
        assertThat(producer.history()).hasSize(1);
    }

    @Test
    void soIsATopicOfFewerPartitions() throws Exception {
        publisher.begin(messages(1));
        producer.partitions = 2;

        assertThatThrownBy(() -> publisher.begin(messages(3))).isInstanceOf(PublishException.class);

        assertThat(producer.history()).hasSize(1);
        publisher.begin(messages(2));
        assertThat(producer.history()).hasSize(3);
    }

    @Test
    void brokersThatAreSlowAreGivenMoreTimeEachTime() throws Exception {
        publisher.begin(messages(1));
        producer.unknownFor = 3;
        assertThatThrownBy(() -> publisher.begin(messages(1))).isInstanceOf(PublishException.class);
        assertThatThrownBy(() -> publisher.begin(messages(1))).isInstanceOf(PublishException.class);

        // A topic that takes three waits.
        producer.unknownFor = 3;
        publisher.begin(messages(1));

        assertThat(producer.history()).hasSize(2);
    }

    @Test
    void aTopicThatStaysAwayIsWaitedForOnceAgain() throws Exception {
        publisher.begin(messages(1));
        producer.partitions = 0;
        List<Integer> waits = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            producer.attempts = 0;
            assertThatThrownBy(() -> publisher.begin(messages(1))).isInstanceOf(PublishException.class);
            waits.add(producer.attempts);
        }

        assertThat(waits).containsExactly(1, 2, 4, 8, 10, 1);
    }

    @Test
    void aProducerThatKnowsNoTopicYetIsGivenTime() throws Exception {
        producer.unknownFor = 9;

        Sending sending = publisher.begin(messages(1));

        assertThat(producer.history()).hasSize(1);
        assertThat(sending.isDone()).isFalse();
    }

    @Test
    void whereNoBrokerAnswersItIsNotTheTopicsFault() throws Exception {
        producer.partitions = 0;

        Sending sending = publisher.begin(messages(2));

        assertThat(sending.isDone()).isTrue();
        assertThatThrownBy(sending::appended).isInstanceOf(PublishException.class);
    }

    @Test
    void roomIsWaitedForSeveralTimes() throws Exception {
        producer.fullFor = 9;

        Sending sending = publisher.begin(messages(2));

        assertThat(producer.history()).hasSize(2);
        assertThat(sending.isDone()).isFalse();
        producer.completeNext();
        producer.completeNext();
        assertThat(sending.isDone()).isTrue();
        assertThat(rings).isNotEmpty();
    }

    @Test
    void whereThereIsNoRoomTheRestIsNotSent() throws Exception {
        producer.fullFor = 10;

        Sending sending = publisher.begin(messages(3));

        assertThat(producer.history()).isEmpty();
        assertThat(sending.isDone()).isTrue();
        assertThatThrownBy(sending::appended).isInstanceOf(PublishException.class);
    }

    @Test
    void aRecordThatItsTopicRefusesForItsSizeNeedsMoreRoom() throws Exception {
        Sending taken = publisher.begin(List.of(row(300_000)));
        producer.completeNext();
        assertThat(taken.appended()).isNotNull();
        assertThat(room.bytes(TOPIC)).isEqualTo(1_000);

        Sending refused = publisher.begin(List.of(row(500_000)));
        producer.errorNext(new RecordTooLargeException("too large"));

        assertThatThrownBy(refused::appended).isInstanceOf(TopicFailedException.class);
        assertThat(room.bytes(TOPIC)).isBetween(500_000, 600_000);
    }

    private static List<Publication> messages(int count) {
        List<Publication> messages = new ArrayList<>();
        for (int partition = 0; partition < count; partition++) {
            messages.add(message(partition, HEARTBEAT));
        }
        return messages;
    }

    private static Publication row(int length) {
        RowDocument row = RowDocument.of(RowJson.mapper().createObjectNode().put("title", "x".repeat(length)));
        KeyBytes key = KeyBytes.wrap(new byte[] {1});
        return message(0, new ChangeEvent.Upserted(key, new RowVersion(1, 1), Instant.EPOCH, UpsertKind.CREATE, row));
    }

    private static Publication message(int partition, ChangeMessage message) {
        return new Publication(
                "movies", partition, message, PublishTimings.UNKNOWN, ExpectedPosition.NONE, Optional.empty());
    }

    /** A producer in memory that says what a real one says after it has waited. */
    private static final class InMemoryProducer extends MockProducer<byte[], byte[]> {
        private int partitions = 3;
        private int attempts;
        private int unknownFor;
        private int fullFor;

        InMemoryProducer() {
            super(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            attempts++;
            if (record.partition() >= partitions || unknownFor-- > 0) {
                return failed(new TimeoutException("not present in metadata"), callback);
            }
            if (fullFor-- > 0) {
                return failed(new BufferExhaustedException("no room"), callback);
            }
            return super.send(record, callback);
        }

        private static Future<RecordMetadata> failed(TimeoutException failure, Callback callback) {
            callback.onCompletion(null, failure);
            return CompletableFuture.failedFuture(failure);
        }
    }
}
