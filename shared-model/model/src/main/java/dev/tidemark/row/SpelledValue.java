package dev.tidemark.row;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;

/**
 * A value written in a URL or on a command line. It is the JSON it spells: a number, {@code true}, {@code false},
 * {@code null} or a quoted string; any other text is that text. A number that is too long or too large is neither.
 */
public final class SpelledValue {
    /**
     * What JSON begins with that is not one of the words; the last is the mark that some programs put before any text.
     */
    private static final String NOT_WORDS = "\"-0123456789{[\uFEFF";

    private static final List<String> WORDS = List.of("true", "false", "null");

    /** A number as JSON has it, with what the parser skips around it. */
    private static final Pattern NUMBER =
            Pattern.compile("\\uFEFF?[ \\t\\r\\n]*-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?[ \\t\\r\\n]*");

    private SpelledValue() {}

    /**
     * The value that a text spells. What is not JSON is text. A quoted string may spell text that is not valid Unicode,
     * which no {@link FieldValue} is.
     *
     * @throws BadJsonException when it spells a number with more digits, or a larger exponent, than is read
     */
    public static JsonNode parse(String text) throws BadJsonException {
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
            if (NUMBER.matcher(text).matches()) {
                // As text it would be compared with strings, and the answer would be wrong without a sign of it.
                throw new BadJsonException(
                        FieldValue.Num.OUTSIDE + ", with at most " + RowJson.MAX_NUMBER_LENGTH + " digits, but got "
                                + RowJson.shortened(text) + "; to mean the string, put it in double quotes",
                        ProblemType.NUMBER_TOO_LONG);
            }
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
        try {
            return parse(value.textValue()).equals(value) ? value.textValue() : value.toString();
        } catch (BadJsonException e) {
            return value.toString();
        }
    }
}
