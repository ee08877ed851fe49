package dev.tidemark.deploy.bench.apply;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;

/** The index of the peers: town, last name and the row's own key, with a zero byte between. */
final class EntryRule {
    private static final JsonFactory JSON = new JsonFactory();

    private EntryRule() {}

    /** The entry key of a row, read without building the rest; null when one of the fields is absent. */
    static @Nullable KeyBytes entryKey(KeyBytes row, KeyBytes json) {
        String town = null;
        String lastName = null;
        try (JsonParser parser = JSON.createParser(json.array())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                parser.nextToken();
                switch (name) {
                    case "town" -> town = parser.getValueAsString();
                    case "lastName" -> lastName = parser.getValueAsString();
                    default -> parser.skipChildren();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (town == null || lastName == null) {
            return null;
        }
        byte[] fields = (town + '\0' + lastName + '\0').getBytes(StandardCharsets.UTF_8);
        byte[] key = Arrays.copyOf(fields, fields.length + row.length());
        System.arraycopy(row.array(), 0, key, fields.length, row.length());
        return KeyBytes.wrap(key);
    }
}
