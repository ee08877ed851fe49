package dev.tidemark.row;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Finds a row in a JSON object around it, such as an event, and reads some of its fields on the way. For any thread.
 *
 * @param member the member of the object around that is the row
 * @param fields what to read of the row
 */
public record EmbeddedRowReader(String member, RowFields fields) {
    /**
     * The row; empty where there is no object under that name. What follows the row is not looked at.
     *
     * @throws BadJsonException when what comes before is not the beginning of a JSON object
     */
    public Optional<PartialRow> find(byte[] around) throws BadJsonException {
        try (JsonParser parser = RowJson.trusting(around)) {
            parser.nextToken();
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken token = parser.nextToken();
                if (name.equals(member) && token == JsonToken.START_OBJECT) {
                    return Optional.of(read(parser, around));
                }
                parser.skipChildren();
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new BadJsonException("expected JSON, but " + e.getMessage());
        }
    }

    private PartialRow read(JsonParser parser, byte[] around) throws IOException {
        int from = (int) parser.currentTokenLocation().getByteOffset();
        ObjectNode read = fields.read(parser);
        int end = (int) parser.currentLocation().getByteOffset();
        return new PartialRow(read, RowDocument.stored(Arrays.copyOfRange(around, from, end)));
    }
}
