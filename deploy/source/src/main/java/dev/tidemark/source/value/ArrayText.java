package dev.tidemark.source.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;

/**
 * Reads an array as PostgreSQL shows it: <code>{1,NULL,"a b"}</code>, of any number of dimensions. Bounds that do not
 * begin at 1, as in <code>[0:1]={1,2}</code>, are lost.
 */
public final class ArrayText {
    private final String text;
    private final ColumnType elements;
    private int at;

    private ArrayText(String text, ColumnType elements) {
        this.text = text;
        this.elements = elements;
        this.at = text.startsWith("[") ? text.indexOf('=') + 1 : 0;
    }

    /** A JSON array, or its text where no row can hold it: the elements are one deeper there than each by itself. */
    public static JsonNode read(String text, ColumnType elements) {
        return Values.orText(new ArrayText(text, elements).array());
    }

    private ArrayNode array() {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        at++;
        while (text.charAt(at) != '}') {
            array.add(element());
            if (text.charAt(at) == ',') {
                at++;
            }
        }
        at++;
        return array;
    }

    private JsonNode element() {
        return switch (text.charAt(at)) {
            case '{' -> array();
            case '"' -> Values.of(elements, quoted());
            default -> bare();
        };
    }

    private String quoted() {
        StringBuilder read = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            if (text.charAt(at) == '\\') {
                at++;
            }
            read.append(text.charAt(at));
        }
        at++;
        return read.toString();
    }

    private JsonNode bare() {
        int from = at;
        while (text.charAt(at) != ',' && text.charAt(at) != '}') {
            at++;
        }
        String read = text.substring(from, at);
        return read.equals("NULL") ? NullNode.getInstance() : Values.of(elements, read);
    }
}
