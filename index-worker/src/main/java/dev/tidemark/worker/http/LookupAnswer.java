package dev.tidemark.worker.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/**
 * What the writer answers to a lookup of rows.
 *
 * @param rows in the order of the keys asked for; null where there is no row
 * @param from every change up to this version is seen; null where the answer does not have it
 * @param to no change after this version is seen; null where the answer does not have it
 */
record LookupAnswer(
        List<@Nullable Row> rows,
        @Nullable String from,
        @Nullable String to) {
    /**
     * A row.
     *
     * @param version as the answer spells it; null where the answer does not have it
     * @param json the row as it is stored, which is not read here
     */
    record Row(@Nullable String version, KeyBytes json) {}

    /**
     * Reads an answer. The rows are copied out of it as they are, so they take no more memory than their text.
     *
     * @throws BadJsonException when it is none
     */
    static LookupAnswer read(byte[] body) throws BadJsonException {
        try (JsonParser parser = RowJson.mapper().createParser(body)) {
            return read(parser, body);
        } catch (IOException e) {
            throw new BadJsonException("expected JSON, but " + e.getMessage());
        }
    }

    private static LookupAnswer read(JsonParser parser, byte[] body) throws IOException, BadJsonException {
        List<@Nullable Row> rows = new ArrayList<>();
        String from = null;
        String to = null;
        require(parser.nextToken(), JsonToken.START_OBJECT);
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            JsonToken token = parser.nextToken();
            switch (name) {
                case "rows" -> {
                    require(token, JsonToken.START_ARRAY);
                    while (parser.nextToken() != JsonToken.END_ARRAY) {
                        rows.add(parser.currentToken() == JsonToken.VALUE_NULL ? null : row(parser, body));
                    }
                }
                case "from" -> from = parser.getText();
                case "to" -> to = parser.getText();
                default -> parser.skipChildren();
            }
        }
        require(parser.currentToken(), JsonToken.END_OBJECT);
        return new LookupAnswer(rows, from, to);
    }

    private static Row row(JsonParser parser, byte[] body) throws IOException, BadJsonException {
        String version = null;
        KeyBytes json = null;
        require(parser.currentToken(), JsonToken.START_OBJECT);
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            JsonToken token = parser.nextToken();
            if (name.equals("version")) {
                version = parser.getText();
            } else if (name.equals("row")) {
                require(token, JsonToken.START_OBJECT);
                int begin = (int) parser.currentTokenLocation().getByteOffset();
                parser.skipChildren();
                int end = (int) parser.currentLocation().getByteOffset();
                json = KeyBytes.wrap(Arrays.copyOfRange(body, begin, end));
            } else {
                parser.skipChildren();
            }
        }
        if (json == null) {
            throw new BadJsonException("expected a row in each item of rows, but one has none");
        }
        return new Row(version, json);
    }

    private static void require(@Nullable JsonToken found, JsonToken expected) throws BadJsonException {
        if (found != expected) {
            throw new BadJsonException("expected " + expected + ", but got " + found);
        }
    }
}
