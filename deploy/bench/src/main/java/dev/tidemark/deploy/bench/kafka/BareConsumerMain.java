package dev.tidemark.deploy.bench.kafka;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;

import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.runtime.SteadyClock;

/**
 * The consumer of the bare loop. Each line on standard input is a number of records. The consumer prints {@code ready},
 * polls that number of records, and prints their latencies in microseconds, in one line. The line is shorter when no
 * record came for long. Ends with its standard input.
 */
public final class BareConsumerMain {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration SILENCE = Duration.ofSeconds(15);
    static final int PARTITIONS = 4;
    private static final String DUE = "due";

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Clock clock = new SteadyClock();

    private BareConsumerMain(KafkaConsumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
    }

    /** Consumes from the broker and the topic that the arguments name. */
    public static void main(String[] arguments) throws IOException {
        try (KafkaConsumer<byte[], byte[]> consumer = PlainLoop.consumer(arguments[0], arguments[1])) {
            new BareConsumerMain(consumer).serve();
        }
    }

    private void serve() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            // Once without anything to read, so that positions and connections are there.
            consumer.poll(Duration.ofMillis(1));
            System.out.println("ready");
            System.out.println(Arrays.stream(round(Integer.parseInt(line)))
                    .mapToObj(Long::toString)
                    .collect(Collectors.joining(" ")));
        }
    }

    private long[] round(int expected) {
        long[] micros = new long[expected];
        int count = 0;
        Instant last = clock.instant();
        while (count < expected && Duration.between(last, clock.instant()).compareTo(SILENCE) < 0) {
            Iterable<ConsumerRecord<byte[], byte[]>> records = consumer.poll(POLL);
            Instant now = clock.instant();
            for (ConsumerRecord<byte[], byte[]> record : records) {
                micros[count++] = micros(record, now);
                last = now;
            }
        }
        return Arrays.copyOf(micros, count);
    }

    static ProducerRecord<byte[], byte[]> record(String topic, CustomerRow customer, Instant due) {
        byte[] key = ByteBuffer.allocate(Integer.BYTES).putInt(customer.id()).array();
        byte[] time = ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(due.getEpochSecond())
                .putInt(due.getNano())
                .array();
        return new ProducerRecord<>(topic, null, key, customer.bytes(), List.of(new RecordHeader(DUE, time)));
    }

    /** Time from when a record was due until now, in microseconds. */
    static long micros(ConsumerRecord<byte[], byte[]> record, Instant now) {
        ByteBuffer time = ByteBuffer.wrap(record.headers().lastHeader(DUE).value());
        Instant due = Instant.ofEpochSecond(time.getLong(), time.getInt());
        return Duration.between(due, now).toNanos() / 1_000;
    }
}
