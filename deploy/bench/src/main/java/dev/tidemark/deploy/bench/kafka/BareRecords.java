package dev.tidemark.deploy.bench.kafka;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;

import dev.tidemark.deploy.bench.CustomerRow;

/** Records of the bare loop: key and row, and when it was due in a header. */
final class BareRecords {
    static final int PARTITIONS = 4;

    private static final String DUE = "due";

    private BareRecords() {}

    static ProducerRecord<byte[], byte[]> of(String topic, CustomerRow customer, Instant due) {
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
