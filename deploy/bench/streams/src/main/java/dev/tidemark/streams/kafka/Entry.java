package dev.tidemark.streams.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the index, in the form that the other baselines use. Written a second time because this application has a
 * separate class path, without any class of Tidemark.
 *
 * @param key town, last name and the row's own key, with a zero byte between
 * @param row as it is written in the change
 */
record Entry(Bytes key, Bytes row) {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String ROW = "after";

    /** The entry that a row has after a change; null when there is no row any more, or it lacks one of the fields. */
    static @Nullable Entry of(byte[] key, byte[] change) {
        try (JsonParser parser = JSON.createParser(change)) {
            parser.nextToken();
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken token = parser.nextToken();
                if (name.equals(ROW) && token == JsonToken.START_OBJECT) {
                    return ofRow(key, change, parser);
                }
                parser.skipChildren();
            }
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable Entry ofRow(byte[] key, byte[] change, JsonParser parser) throws IOException {
        int from = (int) parser.currentTokenLocation().getByteOffset();
        String town = null;
        String lastName = null;
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            switch (name) {
                case "town" -> town = parser.getValueAsString();
                case "lastName" -> lastName = parser.getValueAsString();
                default -> parser.skipChildren();
            }
        }
        if (town == null || lastName == null) {
            return null;
        }
        int end = (int) parser.currentLocation().getByteOffset();
        byte[] fields = (town + '\0' + lastName + '\0').getBytes(StandardCharsets.UTF_8);
        byte[] entry = Arrays.copyOf(fields, fields.length + key.length);
        System.arraycopy(key, 0, entry, fields.length, key.length);
        return new Entry(Bytes.wrap(entry), Bytes.wrap(Arrays.copyOfRange(change, from, end)));
    }
}
