package dev.tidemark.source.topic;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What Debezium writes for a value that PostgreSQL has not sent, because it did not change. It has the type of the
 * column: a text, or a text for its bytes; of arrays, one element that is such a text, or numbers that are the bytes;
 * of hstore, a pair.
 */
final class Placeholder {
    /** The default of Debezium's unavailable.value.placeholder. */
    private static final String TEXT = "__debezium_unavailable_value";

    private static final byte[] BYTES = TEXT.getBytes(StandardCharsets.UTF_8);
    private static final String UUID_OF_BYTES = UUID.nameUUIDFromBytes(BYTES).toString();

    /** Of hstore as JSON, which is Debezium's default. */
    private static final String PAIR = "{\"" + TEXT + "\":\"" + TEXT + "\"}";

    private static final Set<String> TEXTS = Set.of(TEXT, Base64.getEncoder().encodeToString(BYTES), PAIR);

    private Placeholder() {}

    /** Whether a value was not sent. */
    static boolean is(JsonNode value) {
        if (value.isArray()) {
            return value.size() == 1 ? isElement(value.get(0)) : isBytes(value);
        }
        return value.isObject() ? value.size() == 1 && isText(value.path(TEXT)) : isText(value);
    }

    private static boolean isText(JsonNode value) {
        return value.isTextual() && TEXTS.contains(value.textValue());
    }

    private static boolean isElement(JsonNode value) {
        return isText(value) || (value.isTextual() && value.textValue().equals(UUID_OF_BYTES));
    }

    private static boolean isBytes(JsonNode list) {
        boolean same = list.size() == BYTES.length;
        for (int at = 0; same && at < BYTES.length; at++) {
            JsonNode number = list.get(at);
            same = number.isIntegralNumber() && number.longValue() == BYTES[at];
        }
        return same;
    }
}
