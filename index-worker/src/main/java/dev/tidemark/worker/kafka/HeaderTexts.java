package dev.tidemark.worker.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

import dev.tidemark.change.CompactHeaders;

/**
 * The headers of records as texts. Most records have the names of the one before, in the same order, and most headers
 * say what those did: names and equal texts are shared, because what waits to be applied is copied by the collector
 * again and again. For one thread.
 */
final class HeaderTexts {
    private static final byte[] NONE = {};

    private String[] names = {};
    private byte[][] bytes = {};
    private String[] texts = {};

    /** The headers by name; the last one where a name is repeated. */
    Map<String, String> of(Headers headers) {
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
        return CompactHeaders.of(names, read);
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
        texts = headers.values().stream().map(HeaderTexts::text).toArray(String[]::new);
        return CompactHeaders.of(names, texts.clone());
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }
}
