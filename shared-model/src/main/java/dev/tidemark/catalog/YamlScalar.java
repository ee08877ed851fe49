package dev.tidemark.catalog;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.UnindexableValueException;

/**
 * What a scalar of a YAML file means as JSON. Where versions of YAML disagree (is {@code no} false, is {@code 010}
 * eight?) nothing is guessed: such a scalar is {@link Kind#AMBIGUOUS} and must be quoted or written the JSON way.
 */
final class YamlScalar {
    private static final Pattern JSON_NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]{1,9})?");
    private static final Set<Tag> UNQUOTED_TEXT =
            Set.of(Tag.STR, Tag.TIMESTAMP, Tag.MERGE, new Tag(Tag.PREFIX + "value"));

    /** The types of JSON, and what is none of them. */
    enum Kind {
        NULL,
        BOOLEAN,
        NUMBER,
        TEXT,
        AMBIGUOUS
    }

    private YamlScalar() {}

    static Kind kindOf(ScalarNode node) {
        if (node.getScalarStyle() != ScalarStyle.PLAIN) {
            return node.getTag().equals(Tag.STR) ? Kind.TEXT : Kind.AMBIGUOUS;
        }
        String text = node.getValue();
        if (node.getTag().equals(Tag.NULL)) {
            return Kind.NULL;
        }
        if (text.equals("true") || text.equals("false")) {
            return Kind.BOOLEAN;
        }
        if (JSON_NUMBER.matcher(text).matches()) {
            return Kind.NUMBER;
        }
        return UNQUOTED_TEXT.contains(node.getTag()) ? Kind.TEXT : Kind.AMBIGUOUS;
    }

    /**
     * The value of a scalar that is a boolean, a number or text.
     *
     * @throws UnindexableValueException when a number or text is beyond what keys can hold
     */
    static FieldValue valueOf(ScalarNode node) throws UnindexableValueException {
        return FieldValue.of(json(node)).orElseThrow(() -> new AssertionError("null has no value"));
    }

    private static JsonNode json(ScalarNode node) throws UnindexableValueException {
        String text = node.getValue();
        return switch (kindOf(node)) {
            case BOOLEAN -> BooleanNode.valueOf(text.equals("true"));
            case NUMBER -> DecimalNode.valueOf(number(text));
            case TEXT -> TextNode.valueOf(text);
            case NULL, AMBIGUOUS ->
                throw new AssertionError(kindOf(node).name().toLowerCase(Locale.ROOT) + " has no value");
        };
    }

    private static BigDecimal number(String text) throws UnindexableValueException {
        if (text.length() > RowJson.MAX_NUMBER_LENGTH) {
            throw new UnindexableValueException(
                    "expected a number of at most " + RowJson.MAX_NUMBER_LENGTH + " digits");
        }
        return new BigDecimal(text);
    }
}
