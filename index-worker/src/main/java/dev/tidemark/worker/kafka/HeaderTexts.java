package dev.tidemark.worker.kafka;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

import dev.tidemark.key.KeyBytes;

/**
 * The headers of records as texts. Most say what those of the record before said, so equal ones share their texts: what waits
 * to be applied is smaller then, and the collector copies that again and again. For one thread.
 */
final class HeaderTexts {
    /** More names than that are not of our writer, and not worth to be kept. */
    private static final int MOST_NAMES = 32;

    private final Map<String, Known> known = new HashMap<>();

    /** The last header of a name. */
    private record Known(String name, KeyBytes bytes, String text) {}

    /** The headers by name; the last one where a name is repeated. */
    Map<String, String> of(Headers headers) {
        Map<String, String> texts = new HashMap<>();
        for (Header header : headers) {
            Known shared = known(header);
            texts.put(shared.name(), shared.text());
        }
        return texts;
    }

    private Known known(Header header) {
        KeyBytes bytes = header.value() == null ? KeyBytes.EMPTY : KeyBytes.wrap(header.value());
        Known last = known.get(header.key());
        if (last != null && last.bytes().equals(bytes)) {
            return last;
        }
        String name = last == null ? header.key() : last.name();
        Known next = new Known(name, bytes, new String(bytes.array(), StandardCharsets.UTF_8));
        if (last != null || known.size() < MOST_NAMES) {
            known.put(name, next);
        }
        return next;
    }
}
