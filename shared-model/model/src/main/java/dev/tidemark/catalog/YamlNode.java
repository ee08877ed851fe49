package dev.tidemark.catalog;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.UnindexableValueException;

/**
 * A place in the catalog file. A method that finds something else than it expects reports that and answers empty, so
 * that reading goes on and finds the other problems too.
 *
 * <p>A scalar means what it means as JSON. Where versions of YAML disagree (is {@code no} false, is {@code 010} eight?)
 * nothing is guessed: such a scalar is {@link Kind#AMBIGUOUS} and must be quoted or written the JSON way.
 */
record YamlNode(Node node, Problems problems) {
    private static final int MAX_QUOTED = 60;
    private static final Pattern JSON_NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]{1,9})?");
    private static final Set<Tag> UNQUOTED_TEXT =
            Set.of(Tag.STR, Tag.TIMESTAMP, Tag.MERGE, new Tag(Tag.PREFIX + "value"));

    private static final Mark NOWHERE = new Mark("JSON", 0, -1, -1, new int[0], 0);

    /** A key of a mapping as it is spelled, where it stands, and its value. */
    record Entry(String name, YamlNode key, YamlNode value) {}

    /** The types of JSON, what is none of them, and what is no scalar. */
    private enum Kind {
        NULL,
        BOOLEAN,
        NUMBER,
        TEXT,
        AMBIGUOUS,
        NONE
    }

    /**
     * A mapping whose keys are known beforehand.
     *
     * @param owner what the mapping describes, for messages
     */
    record Fields(YamlNode node, String owner, Map<String, YamlNode> values) {
        /** Reads the value of a key that must be there. */
        <T> Optional<T> required(String key, String expected, Function<YamlNode, Optional<T>> reader) {
            if (!values.containsKey(key)) {
                node.problem("missing key \"" + key + "\" of " + owner, expected);
            }
            return Optional.ofNullable(values.get(key)).flatMap(reader);
        }

        /** Reads the value of a key; the preset where the key is not there. */
        <T> Optional<T> optional(String key, T preset, Function<YamlNode, Optional<T>> reader) {
            return Optional.ofNullable(values.get(key)).map(reader).orElse(Optional.of(preset));
        }
    }

    /** The same as JSON; its problems have no place in a file. */
    static YamlNode of(JsonNode json, Problems problems) {
        return new YamlNode(node(json), problems);
    }

    private static Node node(JsonNode json) {
        if (json.isObject()) {
            List<NodeTuple> entries = json.properties().stream()
                    .map(entry -> new NodeTuple(textNode(entry.getKey()), node(entry.getValue())))
                    .toList();
            return new MappingNode(Tag.MAP, true, entries, NOWHERE, NOWHERE, FlowStyle.FLOW);
        }
        if (json.isArray()) {
            List<Node> elements = json.valueStream().map(YamlNode::node).toList();
            return new SequenceNode(Tag.SEQ, true, elements, NOWHERE, NOWHERE, FlowStyle.FLOW);
        }
        if (json.isTextual()) {
            return textNode(json.textValue());
        }
        return new ScalarNode(
                json.isNull() || json.isMissingNode() ? Tag.NULL : Tag.STR,
                json.asText(),
                NOWHERE,
                NOWHERE,
                ScalarStyle.PLAIN);
    }

    private static Node textNode(String text) {
        return new ScalarNode(Tag.STR, text, NOWHERE, NOWHERE, ScalarStyle.DOUBLE_QUOTED);
    }

    /** Reports a problem here. */
    void problem(String found, String expected) {
        problems.add(node.getStartMark(), found + "; expected " + expected);
    }

    /** Reports that what stands here is not what was expected. */
    void unexpected(String expected) {
        problem("found " + describe(), expected);
    }

    boolean isMapping() {
        return node instanceof MappingNode && node.getTag().equals(Tag.MAP);
    }

    boolean isEmptyMapping() {
        return node instanceof MappingNode mapping && mapping.getValue().isEmpty();
    }

    boolean isList() {
        return node instanceof SequenceNode && node.getTag().equals(Tag.SEQ);
    }

    boolean isNull() {
        return kind() == Kind.NULL;
    }

    /** The entries of a mapping, each key once. */
    Optional<List<Entry>> entries(String expected) {
        if (!(node instanceof MappingNode mapping) || !isMapping()) {
            unexpected(expected);
            return Optional.empty();
        }
        List<Entry> entries = new ArrayList<>();
        Map<String, Integer> lines = new HashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            YamlNode key = new YamlNode(tuple.getKeyNode(), problems);
            if (!(tuple.getKeyNode() instanceof ScalarNode scalar)) {
                key.unexpected("a name as key");
                continue;
            }
            String name = scalar.getValue();
            Integer first = lines.putIfAbsent(name, scalar.getStartMark().getLine() + 1);
            if (first == null) {
                entries.add(new Entry(name, key, new YamlNode(tuple.getValueNode(), problems)));
            } else {
                key.problem("duplicate key " + quoted(name) + ", first at line " + first, "each key once");
            }
        }
        return Optional.of(entries);
    }

    /** A mapping with these keys; any other key is a problem. */
    Optional<Fields> fields(String owner, List<String> known) {
        String names = String.join(", ", known);
        return entries("a mapping with " + names + " for " + owner).map(entries -> {
            Map<String, YamlNode> values = new HashMap<>();
            for (Entry entry : entries) {
                if (known.contains(entry.name())) {
                    values.put(entry.name(), entry.value());
                } else {
                    entry.key().problem("unknown key " + quoted(entry.name()), "one of " + names);
                }
            }
            return new Fields(this, owner, values);
        });
    }

    /** The elements of a list that is not empty. */
    Optional<List<YamlNode>> elements(String expected) {
        if (!(node instanceof SequenceNode sequence) || !isList()) {
            unexpected(expected);
            return Optional.empty();
        }
        if (sequence.getValue().isEmpty()) {
            problem("found an empty list", expected);
            return Optional.empty();
        }
        return Optional.of(sequence.getValue().stream()
                .map(element -> new YamlNode(element, problems))
                .toList());
    }

    Optional<String> text(String expected) {
        return only(FieldValue.Text.class, expected).map(FieldValue.Text::value);
    }

    Optional<Boolean> bool(String expected) {
        return only(FieldValue.Bool.class, expected).map(FieldValue.Bool::value);
    }

    private <T extends FieldValue> Optional<T> only(Class<T> type, String expected) {
        Optional<FieldValue> value = value(expected);
        if (value.isPresent() && !type.isInstance(value.get())) {
            unexpected(expected);
        }
        return value.filter(type::isInstance).map(type::cast);
    }

    /** What one of some words stands for. */
    <T> Optional<T> oneOf(Map<String, T> words, String expected) {
        Optional<String> word = text(expected);
        if (word.isPresent() && !words.containsKey(word.get())) {
            unexpected(expected);
        }
        return word.map(words::get);
    }

    /** A boolean, number or text. */
    Optional<FieldValue> value(String expected) {
        Kind kind = kind();
        if (node instanceof ScalarNode scalar && kind != Kind.NULL && kind != Kind.AMBIGUOUS) {
            try {
                return FieldValue.of(json(kind, scalar.getValue()));
            } catch (UnindexableValueException e) {
                problem("found " + describe(), expected + " (" + e.getMessage() + ")");
                return Optional.empty();
            }
        }
        unexpected(expected);
        return Optional.empty();
    }

    private static JsonNode json(Kind kind, String text) throws UnindexableValueException {
        if (kind == Kind.NUMBER && text.length() > RowJson.MAX_NUMBER_LENGTH) {
            throw new UnindexableValueException(
                    "expected a number of at most " + RowJson.MAX_NUMBER_LENGTH + " digits");
        }
        return switch (kind) {
            case BOOLEAN -> BooleanNode.valueOf(text.equals("true"));
            case NUMBER -> DecimalNode.valueOf(new BigDecimal(text));
            default -> TextNode.valueOf(text);
        };
    }

    private Kind kind() {
        if (!(node instanceof ScalarNode scalar)) {
            return Kind.NONE;
        }
        String text = scalar.getValue();
        if (scalar.getScalarStyle() != ScalarStyle.PLAIN) {
            return scalar.getTag().equals(Tag.STR) ? Kind.TEXT : Kind.AMBIGUOUS;
        }
        if (scalar.getTag().equals(Tag.NULL)) {
            return Kind.NULL;
        }
        if (text.equals("true") || text.equals("false")) {
            return Kind.BOOLEAN;
        }
        if (JSON_NUMBER.matcher(text).matches()) {
            return Kind.NUMBER;
        }
        return UNQUOTED_TEXT.contains(scalar.getTag()) ? Kind.TEXT : Kind.AMBIGUOUS;
    }

    /** Text in quotes, on one line, and short. */
    static String quoted(String text) {
        String json = TextNode.valueOf(text).toString();
        String shown = json.length() <= MAX_QUOTED ? json : json.substring(0, MAX_QUOTED) + "…\"";
        // An unpaired surrogate, or half a pair where the text was cut, becomes a question mark.
        return new String(shown.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private String describe() {
        String text = quoted(
                node instanceof ScalarNode scalar
                        ? scalar.getValue()
                        : node.getTag().getValue());
        String bare = text.substring(1, text.length() - 1);
        return switch (kind()) {
            case NULL -> bare.isEmpty() ? "nothing" : "null";
            case BOOLEAN -> bare;
            case NUMBER -> "the number " + bare;
            case TEXT -> text;
            case AMBIGUOUS -> bare + ", which can be read in two ways without quotes";
            case NONE -> isMapping() ? "a mapping" : isList() ? "a list" : "the tag " + text;
        };
    }
}
