package dev.tidemark.worker.kafka;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.apply.LogRecord;

/** Kafka's records without Kafka's types. For one thread. */
final class Records {
    private static final List<String> ESSENTIAL = List.of(ChangeCodec.ID, ChangeCodec.TYPE);

    private final HeaderTexts texts = new HeaderTexts();

    /** With those headers only that say what it is. */
    static LogRecord withoutDetails(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new HashMap<>();
        for (String name : ESSENTIAL) {
            Header header = record.headers().lastHeader(name);
            if (header != null && header.value() != null) {
                headers.put(name, new String(header.value(), StandardCharsets.ISO_8859_1));
            }
        }
        return of(record, headers);
    }

    LogRecord of(ConsumerRecord<byte[], byte[]> record) {
        return of(record, texts.of(record.headers()));
    }

    private static LogRecord of(ConsumerRecord<byte[], byte[]> record, Map<String, String> headers) {
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
