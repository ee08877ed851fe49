package dev.tidemark.row;

import java.nio.charset.StandardCharsets;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;

/**
 * A value written in a URL or on a command line. It is the JSON it spells: a number, {@code true}, {@code false},
 * {@code null} or a quoted string; any other text is that text.
 */
public final class SpelledValue {
    /**
     * What JSON begins with that is not one of the words; the last is the mark that some programs put before any text.
     */
    private static final String NOT_WORDS = "\"-0123456789{[\uFEFF";

    private static final List<String> WORDS = List.of("true", "false", "null");

    private SpelledValue() {}

    /**
     * The value that a text spells. Never fails: what is not JSON is text. A quoted string may spell text that is not
     * valid Unicode, which no {@link FieldValue} is.
     */
    public static JsonNode parse(String text) {
        // Most values are plain words, and to fail at one costs more than to look at its beginning.
        if (!beginsAsJson(text.stripLeading())) {
            return TextNode.valueOf(text);
        }
        try {
            JsonNode node = RowJson.readAsRow(text.getBytes(StandardCharsets.UTF_8));
            if (node.isTextual()) {
                return node;
            }
            StorableJson.require(node);
            return node.isContainerNode() ? TextNode.valueOf(text) : node;
        } catch (BadJsonException e) {
            return TextNode.valueOf(text);
        }
    }

    private static boolean beginsAsJson(String text) {
        return (!text.isEmpty() && NOT_WORDS.indexOf(text.charAt(0)) >= 0)
                || WORDS.stream().anyMatch(text::startsWith);
    }

    /** The shortest text that spells a value: a string is quoted only where it would spell something else. */
    public static String write(JsonNode value) {
        if (!value.isTextual()) {
            return value.toString();
        }
        return parse(value.textValue()).equals(value) ? value.textValue() : value.toString();
    }
}
