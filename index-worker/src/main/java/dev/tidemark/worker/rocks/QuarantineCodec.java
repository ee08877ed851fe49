package dev.tidemark.worker.rocks;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.QuarantinedName;
import dev.tidemark.worker.store.QuarantinedRecord;

/** Quarantined records, their key included, and their names. */
final class QuarantineCodec {
    private QuarantineCodec() {}

    static byte[] write(QuarantinedRecord record) {
        WireRecord wire = record.record();
        KeyBytes value = wire.value();
        RecordWriter out = new RecordWriter()
                .number(record.offset())
                .time(record.at())
                .text(record.reason())
                .bytes(wire.key())
                .number(value == null ? 0 : 1)
                .bytes(value == null ? KeyBytes.EMPTY : value)
                .number(wire.headers().size());
        new TreeMap<>(wire.headers()).forEach((name, header) -> out.text(name).text(header));
        return out.toBytes();
    }

    static byte[] write(QuarantinedName name) {
        return new RecordWriter()
                .number(name.offset())
                .time(name.at())
                .text(name.reason())
                .bytes(name.key())
                .toBytes();
    }

    static QuarantinedName readName(byte[] bytes) {
        RecordReader in = new RecordReader(bytes);
        long offset = in.number();
        var at = in.time();
        String reason = in.text();
        return new QuarantinedName(in.bytes(), offset, reason, at);
    }

    static QuarantinedRecord read(byte[] bytes) {
        RecordReader in = new RecordReader(bytes);
        long offset = in.number();
        var at = in.time();
        String reason = in.text();
        KeyBytes key = in.bytes();
        boolean hasValue = in.number() == 1;
        KeyBytes stored = in.bytes();
        @Nullable KeyBytes value = hasValue ? stored : null;
        int count = in.count();
        Map<String, String> headers = new HashMap<>();
        for (int i = 0; i < count; i++) {
            headers.put(in.text(), in.text());
        }
        return new QuarantinedRecord(offset, new WireRecord(key, value, headers), reason, at);
    }
}
