package dev.tidemark.worker.kafka;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.apply.LogRecord;

/** Kafka's records without Kafka's types. */
final class Records {
    private Records() {}

    static LogRecord of(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new HashMap<>();
        for (Header header : record.headers()) {
            byte[] value = header.value();
            headers.put(header.key(), value == null ? "" : new String(value, StandardCharsets.UTF_8));
        }
        byte[] key = record.key();
        byte[] value = record.value();
        return new LogRecord(
                record.offset(),
                new WireRecord(
                        key == null ? KeyBytes.EMPTY : KeyBytes.wrap(key),
                        value == null ? null : KeyBytes.wrap(value),
                        headers));
    }
}
