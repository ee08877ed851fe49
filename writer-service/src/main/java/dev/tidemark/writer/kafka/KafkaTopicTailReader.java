package dev.tidemark.writer.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.change.WireRecord;
import dev.tidemark.kafka.Interruptions;
import dev.tidemark.kafka.PollAllowance;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.writer.outbox.EventPublisher.Shard;
import dev.tidemark.writer.outbox.PublishException;
import dev.tidemark.writer.outbox.TopicTailReader;

/** Reads topics with a separate consumer, without a group. */
public final class KafkaTopicTailReader implements TopicTailReader {
    private static final Logger LOGGER = LoggerFactory.getLogger(KafkaTopicTailReader.class);
    private static final Duration PATIENCE = Duration.ofSeconds(6);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(1);
    private static final int LONGEST_FETCH_MILLIS = 10;

    /** About what one piece of a topic has. */
    private static final long PIECE_BYTES = 4L << 20;

    /** The first record of a poll may be larger than what is allowed. */
    private static final long ONE_RECORD = 1;

    /** Which table it is for matters to writing only. */
    private static final ChangeCodec CODEC = new ChangeCodec("");

    private final PollAllowance allowance;
    private final Supplier<Consumer<byte[], byte[]>> consumers;
    private final Clock clock;
    private @Nullable Consumer<byte[], byte[]> consumer;

    public KafkaTopicTailReader(KafkaClientSettings settings, Clock clock) {
        this(settings, new PollAllowance(), clock);
    }

    private KafkaTopicTailReader(KafkaClientSettings settings, PollAllowance allowance, Clock clock) {
        this(
                allowance,
                () -> new KafkaConsumer<>(oneAfterTheOther(settings.reader()), allowance.keys(), allowance.values()),
                clock);
    }

    /**
     * Tails, read by any client.
     *
     * @param consumers makes the next one after the last was released
     */
    KafkaTopicTailReader(PollAllowance allowance, Supplier<Consumer<byte[], byte[]>> consumers, Clock clock) {
        this.allowance = allowance;
        this.consumers = consumers;
        this.clock = clock;
    }

    @Override
    public Piece read(Shard shard, long from, long end) throws PublishException, InterruptedException {
        TopicPartition source = partition(shard);
        return asked(reader -> {
            seek(reader, source, from);
            List<ChangeMessage> messages = new ArrayList<>();
            Set<KeyBytes> unreadable = new HashSet<>();
            LongAccumulator session = new LongAccumulator(Math::max, 0);
            pollUntil(
                    reader,
                    PIECE_BYTES,
                    record -> {
                        session.accumulate(expectation(record).session());
                        decode(record).ifPresentOrElse(messages::add, () -> addKey(record, unreadable));
                    },
                    () -> reader.position(source) > from);
            return new Piece(messages, unreadable, session.get(), reader.position(source));
        });
    }

    @Override
    public Optional<Found> first(Shard shard, long offset) throws PublishException, InterruptedException {
        TopicPartition source = partition(shard);
        return asked(reader -> {
            seek(reader, source, offset);
            List<Found> there = new ArrayList<>();
            pollUntil(reader, ONE_RECORD, record -> there.add(found(record)), () -> reader.position(source) > offset);
            return there.stream().findFirst();
        });
    }

    private static Found found(ConsumerRecord<byte[], byte[]> record) {
        return new Found(record.offset(), decode(record), expectation(record));
    }

    private static ExpectedPosition expectation(ConsumerRecord<byte[], byte[]> record) {
        return ExpectedPosition.of(headers(record)).orElse(ExpectedPosition.NONE);
    }

    private static void addKey(ConsumerRecord<byte[], byte[]> record, Set<KeyBytes> keys) {
        if (record.key() != null) {
            keys.add(KeyBytes.wrap(record.key()));
        }
    }

    private static void seek(Consumer<byte[], byte[]> reader, TopicPartition source, long from) {
        if (!reader.assignment().equals(Set.of(source)) || reader.position(source) != from) {
            reader.assign(List.of(source));
            reader.seek(source, from);
        }
    }

    @Override
    public void release() {
        Consumer<byte[], byte[]> open = consumer;
        consumer = null;
        if (open != null) {
            try {
                open.close(CloseOptions.timeout(CLOSE_PATIENCE));
            } catch (InterruptException e) {
                Thread.currentThread().interrupt();
            } catch (KafkaException e) {
                LOGGER.debug("A consumer could not be closed", e);
            }
        }
    }

    private Consumer<byte[], byte[]> consumer() {
        Consumer<byte[], byte[]> open = consumer;
        if (open == null) {
            open = consumers.get();
            consumer = open;
        }
        return open;
    }

    /**
     * What is gone before the offset that is asked for must not lead to the end. A fetch that waits at the end of one
     * partition holds up the first fetch of the next one, so it may not wait long.
     */
    static Properties oneAfterTheOther(Properties reader) {
        reader.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        reader.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, LONGEST_FETCH_MILLIS);
        return reader;
    }

    private <T> T asked(Question<T> question) throws PublishException, InterruptedException {
        try {
            return question.putTo(consumer());
        } catch (InterruptException e) {
            throw Interruptions.checked(e);
        } catch (KafkaException e) {
            throw new PublishException("topics cannot be read: " + e.getMessage(), e);
        }
    }

    private void pollUntil(
            Consumer<byte[], byte[]> reader,
            long bytes,
            java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> read,
            BooleanSupplier done)
            throws PublishException {
        Instant deadline = clock.instant().plus(PATIENCE);
        while (!done.getAsBoolean()) {
            allowance.begin(bytes);
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
                read.accept(record);
            }
            if (clock.instant().isAfter(deadline)) {
                throw new PublishException(
                        "topics were not read within " + PATIENCE.toSeconds() + " s from where they should be");
            }
        }
    }

    /** Something to ask of the log. */
    @FunctionalInterface
    private interface Question<T> {
        T putTo(Consumer<byte[], byte[]> reader) throws PublishException;
    }

    private static TopicPartition partition(Shard shard) {
        return new TopicPartition(ChangeTopic.nameFor(shard.table()), shard.partition());
    }

    /** A record that no writer can have written is no evidence of what a writer has lost. */
    private static Optional<ChangeMessage> decode(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null) {
            return Optional.empty();
        }
        byte[] value = record.value();
        KeyBytes body = value == null ? null : KeyBytes.wrap(value);
        try {
            return Optional.of(CODEC.decode(new WireRecord(KeyBytes.wrap(record.key()), body, headers(record))));
        } catch (MalformedChangeException e) {
            return Optional.empty();
        }
    }

    private static Map<String, String> headers(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new HashMap<>();
        for (Header header : record.headers()) {
            if (header.value() != null) {
                headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
            }
        }
        return headers;
    }
}
