package dev.tidemark.row;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.jspecify.annotations.Nullable;

/**
 * Some fields of rows, read without building the rest. What is passed over is not checked for repeated names or
 * unpaired surrogates, so whether a row is good is to be known from elsewhere. For any thread.
 */
public final class RowFields {
    /** No field. */
    public static final RowFields NONE = new RowFields(Set.of());

    private final Set<String> names;

    /** The last others that all are among these, because rows of a table are asked for the same ones. */
    private RowFields lastHad = this;

    /** The fields with these names, each with all that is in it. */
    public RowFields(Collection<String> names) {
        this.names = Set.copyOf(names);
    }

    /**
     * Reads them.
     *
     * @param row a row as {@link RowDocument#bytes()} gave it
     * @throws UnreadableRowException when the bytes are not a row
     */
    public PartialRow of(byte[] row) {
        try (JsonParser parser = RowJson.trusting(row)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new UnreadableRowException("got " + parser.currentToken());
            }
            return new PartialRow(read(parser), RowDocument.stored(row));
        } catch (IOException | NumberFormatException e) {
            throw new UnreadableRowException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Reads them, unless they were read already when the row was, maybe with others.
     *
     * @throws UnreadableRowException when the row has bytes that are not a row
     */
    public PartialRow of(RowDocument row) {
        ObjectNode known = row.fieldsReadBy(this);
        return known == null ? of(row.bytes()) : new PartialRow(known, row);
    }

    /**
     * Finds a row in a JSON object around it, such as an event, and reads them on the way. The object may be one that
     * was refused before.
     *
     * @param member the member of the object around that is the row
     * @return the row; empty where there is no object under that name. What follows the row is not looked at
     * @throws BadJsonException when what comes before is not the beginning of a JSON object, or a field cannot be in a
     *     row that was accepted
     */
    public Optional<PartialRow> find(byte[] around, String member) throws BadJsonException {
        try (JsonParser parser = RowJson.lenient(around)) {
            parser.nextToken();
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken token = parser.nextToken();
                if (name.equals(member) && token == JsonToken.START_OBJECT) {
                    int from = (int) parser.currentTokenLocation().getByteOffset();
                    ObjectNode read = read(parser);
                    StorableJson.requireOfRecord(read);
                    int end = (int) parser.currentLocation().getByteOffset();
                    return Optional.of(new PartialRow(read, RowDocument.stored(Arrays.copyOfRange(around, from, end))));
                }
                parser.skipChildren();
            }
            return Optional.empty();
        } catch (IOException | NumberFormatException e) {
            throw new BadJsonException("expected JSON, but " + e.getMessage());
        }
    }

    /** Equal when the names are. */
    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof RowFields that && names.equals(that.names));
    }

    @Override
    public int hashCode() {
        return names.hashCode();
    }

    /** These and others. */
    public RowFields and(RowFields others) {
        Set<String> all = new TreeSet<>(names);
        all.addAll(others.names);
        return new RowFields(all);
    }

    /** Whether all of the others are among them. */
    boolean hasAll(RowFields others) {
        if (equals(others) || others.equals(lastHad)) {
            return true;
        }
        boolean all = names.containsAll(others.names);
        if (all) {
            lastHad = others;
        }
        return all;
    }

    /** Whether a field is one of them. */
    boolean has(String name) {
        return names.contains(name);
    }

    /** Reads them from an object at whose beginning a parser stands; afterwards it stands at the end. */
    ObjectNode read(JsonParser parser) throws IOException {
        ObjectNode found = RowJson.mapper().createObjectNode();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            JsonToken token = parser.nextToken();
            if (names.contains(name)) {
                found.set(name, value(parser, token));
            } else {
                parser.skipChildren();
            }
        }
        return found;
    }

    private static JsonNode value(JsonParser parser, JsonToken token) throws IOException {
        JsonNode simple = simple(parser, token);
        return simple == null ? parser.readValueAsTree() : simple;
    }

    /**
     * The value at which a parser stands, where that is a text, a small whole number, a truth value or null; else null.
     */
    static @Nullable JsonNode simple(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case VALUE_STRING -> TextNode.valueOf(parser.getText());
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.INT ? IntNode.valueOf(parser.getIntValue()) : null;
            case VALUE_NULL -> NullNode.getInstance();
            case VALUE_TRUE -> BooleanNode.TRUE;
            case VALUE_FALSE -> BooleanNode.FALSE;
            default -> null;
        };
    }
}
