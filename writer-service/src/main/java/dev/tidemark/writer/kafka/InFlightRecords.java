package dev.tidemark.writer.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.kafka.Interruptions;
import dev.tidemark.writer.outbox.AppendedOffsets;
import dev.tidemark.writer.outbox.EventPublisher;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;
import dev.tidemark.writer.outbox.TopicFailedException;

/** Records that were given to the producer at once. The producer's thread calls back, the relay's does the rest. */
final class InFlightRecords implements EventPublisher.Sending, Callback {
    private final List<Publication> messages;
    private final List<Future<RecordMetadata>> sent;
    private final AtomicInteger unknown;
    private final RecordRoom room;
    private final Runnable done;

    /** No message is given yet; {@code done} runs once the result of every message is known. */
    InFlightRecords(List<Publication> messages, RecordRoom room, Runnable done) {
        this.messages = messages;
        this.room = room;
        this.sent = new ArrayList<>(messages.size());
        this.unknown = new AtomicInteger(messages.size());
        this.done = done;
    }

    /**
     * Gives the next message to the producer.
     *
     * @param send gives it, and may wait
     * @param attempts how often to try in all, by the failure
     * @return why it could not be given, and then the rest is not to be given either; empty when it was given
     */
    Optional<Throwable> add(Supplier<Future<RecordMetadata>> send, ToIntFunction<Throwable> attempts)
            throws InterruptedException {
        Future<RecordMetadata> record = send.get();
        Optional<Throwable> failure = failure(record);
        for (int attempt = 1; attempt < failure.map(attempts::applyAsInt).orElse(0); attempt++) {
            unknown.incrementAndGet();
            record = send.get();
            failure = failure(record);
        }
        sent.add(record);
        if (failure.isPresent() && unknown.addAndGet(sent.size() - messages.size()) <= 0) {
            done.run();
        }
        return failure;
    }

    private static Optional<Throwable> failure(Future<RecordMetadata> record) throws InterruptedException {
        try {
            if (record.isDone()) {
                record.get();
            }
            return Optional.empty();
        } catch (ExecutionException e) {
            return Optional.ofNullable(e.getCause());
        }
    }

    @Override
    public void onCompletion(@Nullable RecordMetadata where, @Nullable Exception failure) {
        if (unknown.decrementAndGet() == 0) {
            done.run();
        }
    }

    @Override
    public boolean isDone() {
        return unknown.get() <= 0;
    }

    @Override
    public AppendedOffsets appended() throws PublishException, TopicFailedException, InterruptedException {
        AppendedOffsets appended = new AppendedOffsets();
        try {
            for (int i = 0; i < sent.size(); i++) {
                RecordMetadata where = sent.get(i).get();
                if (where.hasOffset()) {
                    appended.add(messages.get(i), where.offset());
                }
            }
            return appended;
        } catch (InterruptException e) {
            throw Interruptions.checked(e);
        } catch (ExecutionException e) {
            String topic = ChangeTopic.nameFor(messages.get(0).table());
            if (e.getCause() instanceof RecordTooLargeException) {
                room.lacked(topic);
            }
            if (isTopicsFault(e.getCause())) {
                throw new TopicFailedException("topic " + topic + " does not take records: " + reason(e.getCause()), e);
            }
            throw new PublishException("a record was not acknowledged: " + reason(e.getCause()), e);
        }
    }

    /** Whether trying again with another producer is no use, and other topics are not concerned. */
    private static boolean isTopicsFault(@Nullable Throwable cause) {
        return cause instanceof TopicAuthorizationException
                || cause instanceof InvalidTopicException
                || cause instanceof RecordTooLargeException
                || cause instanceof InvalidRecordException
                || cause instanceof PolicyViolationException;
    }

    static String reason(@Nullable Throwable cause) {
        return cause == null || cause.getMessage() == null ? String.valueOf(cause) : cause.getMessage();
    }
}
