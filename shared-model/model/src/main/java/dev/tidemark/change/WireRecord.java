package dev.tidemark.change;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;

/**
 * A record as Kafka carries it, without Kafka's types.
 *
 * @param key the record key
 * @param value UTF-8 JSON, or null for a tombstone
 * @param headers by name; the last one where a name is repeated
 */
public record WireRecord(KeyBytes key, @Nullable KeyBytes value, Map<String, String> headers) {
    public WireRecord {
        headers = CompactHeaders.copyOf(headers);
    }
}
