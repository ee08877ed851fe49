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

/**
 * The index of the baselines: town, last name and the row's own key, with a zero byte between; an entry carries the
 * whole row.
 */
final class EntryRule {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String ROW = "after";

    private EntryRule() {}

    /** An entry: its key, and the row as it is written in the change. */
    record Entry(KeyBytes key, KeyBytes row) {}

    /**
     * The entry that a row has after a change.
     *
     * @param key of the row
     * @param change what the topic holds, read without building a tree of it
     * @return null when there is no row any more, or it lacks one of the fields
     */
    static @Nullable Entry entry(KeyBytes key, KeyBytes change) {
        byte[] json = change.array();
        try (JsonParser parser = JSON.createParser(json)) {
            parser.nextToken();
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken token = parser.nextToken();
                if (name.equals(ROW) && token == JsonToken.START_OBJECT) {
                    return entryOfRow(key, json, parser);
                }
                parser.skipChildren();
            }
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable Entry entryOfRow(KeyBytes key, byte[] json, JsonParser parser) throws IOException {
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
        return new Entry(entryKey(town, lastName, key), KeyBytes.wrap(Arrays.copyOfRange(json, from, end)));
    }

    private static KeyBytes entryKey(String town, String lastName, KeyBytes row) {
        byte[] fields = (town + '\0' + lastName + '\0').getBytes(StandardCharsets.UTF_8);
        byte[] key = Arrays.copyOf(fields, fields.length + row.length());
        System.arraycopy(row.array(), 0, key, fields.length, row.length());
        return KeyBytes.wrap(key);
    }
}
