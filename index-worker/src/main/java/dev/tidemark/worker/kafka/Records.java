package dev.tidemark.worker.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.CompactHeaders;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.apply.LogRecord;

/**
 * Kafka's records without Kafka's types. Most records have the names of headers of the one before, in the same order,
 * and most headers say what those did: names and equal texts are shared, because what waits to be applied is copied by
 * the collector again and again. For one thread.
 */
final class Records {
    private static final List<String> ESSENTIAL = List.of(ChangeCodec.ID, ChangeCodec.TYPE);

    private static final byte[] NONE = {};

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
        return of(record, texts(record.headers()));
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

    private String[] names = {};
    private byte[][] bytes = {};
    private String[] texts = {};

    /** The headers by name; the last one where a name is repeated. */
    Map<String, String> texts(Headers headers) {
        Header[] found = headers.toArray();
        if (!areNamedAsBefore(found)) {
            Map<String, byte[]> last = new LinkedHashMap<>();
            for (Header header : found) {
                last.put(header.key(), header.value() == null ? NONE : header.value());
            }
            return begin(last);
        }
        String[] read = new String[found.length];
        for (int i = 0; i < found.length; i++) {
            byte[] value = found[i].value() == null ? NONE : found[i].value();
            if (!Arrays.equals(bytes[i], value)) {
                bytes[i] = value;
                texts[i] = text(value);
            }
            read[i] = texts[i];
        }
        return new CompactHeaders(names, read);
    }

    private boolean areNamedAsBefore(Header[] found) {
        boolean same = found.length == names.length;
        for (int i = 0; same && i < found.length; i++) {
            same = names[i].equals(found[i].key());
        }
        return same;
    }

    private Map<String, String> begin(Map<String, byte[]> headers) {
        names = headers.keySet().toArray(String[]::new);
        bytes = headers.values().toArray(byte[][]::new);
        texts = headers.values().stream().map(Records::text).toArray(String[]::new);
        return new CompactHeaders(names, texts.clone());
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }
}
