package dev.tidemark.row;

import java.io.IOException;
import java.util.Arrays;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object, such as an event, with a row in one member and a word in another. Reading it takes a fraction of the
 * time that building a tree takes. {@link RowJson#parseEnvelope} accepts every object that this class accepts, with the
 * same result. Any other object falls back to that method, which reports what is wrong.
 *
 * @param word the text of the one member
 * @param row the other member, as it is written there
 */
public record PlainEnvelope(String word, RowDocument row) {
    private static final int MOST_BYTES = 8 * 1024 * 1024;

    /**
     * Reads one.
     *
     * @param json the object around the row
     * @param wordMember name of the member with the word
     * @param rowMember name of the member with the row
     * @param wanted fields of the row to read on the way, so that {@link RowFields#of(RowDocument)} need not
     * @return null where the object is not plain, lacks a member, or is not valid
     */
    public static @Nullable PlainEnvelope read(byte[] json, String wordMember, String rowMember, RowFields wanted) {
        if (!isPlain(json)) {
            return null;
        }
        try (JsonParser parser = RowJson.strict(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            String word = null;
            RowDocument row = null;
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken token = parser.nextToken();
                if (token == JsonToken.START_OBJECT && name.equals(rowMember)) {
                    row = row(parser, json, wanted);
                } else if (token == JsonToken.VALUE_STRING && name.equals(wordMember)) {
                    word = parser.getText();
                } else {
                    pass(parser, token);
                }
            }
            return word == null || row == null || parser.nextToken() != null ? null : new PlainEnvelope(word, row);
        } catch (IOException | NumberFormatException | BadJsonException e) {
            return null;
        }
    }

    private static @Nullable RowDocument row(JsonParser parser, byte[] json, RowFields wanted)
            throws IOException, BadJsonException {
        int from = (int) parser.currentTokenLocation().getByteOffset();
        ObjectNode read = RowJson.mapper().createObjectNode();
        boolean simple = true;
        int deepest = 0;
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            JsonToken token = parser.nextToken();
            JsonNode value = wanted.has(name) ? RowFields.simple(parser, token) : null;
            if (value == null) {
                simple &= !wanted.has(name);
                deepest = Math.max(deepest, pass(parser, token));
            } else {
                read.set(name, value);
            }
        }
        int end = (int) parser.currentLocation().getByteOffset();
        if (deepest >= RowJson.MAX_DEPTH) {
            return null;
        }
        byte[] row = Arrays.copyOfRange(json, from, end);
        return simple ? RowDocument.read(row, wanted, read) : RowDocument.stored(row);
    }

    /** Goes to the end of a value, checking what the parser checks only when it is asked; how deep the value is. */
    private static int pass(JsonParser parser, JsonToken first) throws IOException, BadJsonException {
        int depth = 0;
        int deepest = 0;
        for (JsonToken token = first; ; token = parser.nextToken()) {
            if (token == null) {
                throw new IOException("expected a value, but got the end");
            } else if (token.isStructStart()) {
                depth++;
                deepest = Math.max(deepest, depth);
            } else if (token.isStructEnd()) {
                depth--;
            } else if (token == JsonToken.VALUE_NUMBER_FLOAT) {
                StorableJson.requireOfRecord(parser.getDecimalValue());
            }
            if (depth == 0) {
                return deepest;
            }
        }
    }

    /**
     * Whether every text in it is valid Unicode for certain: the bytes are UTF-8, and no character is spelled as a
     * number.
     */
    private static boolean isPlain(byte[] json) {
        if (json.length > MOST_BYTES) {
            return false;
        }
        boolean ascii = true;
        for (int i = 0; i < json.length; i++) {
            ascii &= json[i] >= 0;
            if (json[i] == '\\' && i + 1 < json.length && json[i + 1] == 'u') {
                return false;
            }
        }
        return ascii || RowJson.isUtf8(json);
    }
}
