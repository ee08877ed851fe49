package dev.tidemark.catalog;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.TextNode;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

import dev.tidemark.row.FieldValue;
import dev.tidemark.row.UnindexableValueException;

/**
 * A place in the catalog file. A method that finds something else than it expects reports that and answers empty, so
 * that reading goes on and finds the other problems too.
 */
final class YamlNode {
    private static final int MAX_QUOTED = 60;

    private final Node node;
    private final Problems problems;

    /** A key of a mapping as it is spelled, where it stands, and its value. */
    record Entry(String name, YamlNode key, YamlNode value) {}

    YamlNode(Node node, Problems problems) {
        this.node = node;
        this.problems = problems;
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
        return node instanceof ScalarNode scalar && YamlScalar.kindOf(scalar) == YamlScalar.Kind.NULL;
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
        return value(expected).map(value -> {
            if (value instanceof FieldValue.Text text) {
                return text.value();
            }
            unexpected(expected);
            return null;
        });
    }

    /** A boolean, number or text. */
    Optional<FieldValue> value(String expected) {
        if (node instanceof ScalarNode scalar) {
            YamlScalar.Kind kind = YamlScalar.kindOf(scalar);
            if (kind != YamlScalar.Kind.NULL && kind != YamlScalar.Kind.AMBIGUOUS) {
                try {
                    return Optional.of(YamlScalar.valueOf(scalar));
                } catch (UnindexableValueException e) {
                    problem("found " + describe(), expected + " (" + e.getMessage() + ")");
                    return Optional.empty();
                }
            }
        }
        unexpected(expected);
        return Optional.empty();
    }

    /** Text in quotes, on one line, and short. */
    static String quoted(String text) {
        String json = TextNode.valueOf(text).toString();
        String shown = json.length() <= MAX_QUOTED ? json : json.substring(0, MAX_QUOTED) + "…\"";
        // An unpaired surrogate, or half a pair where the text was cut, becomes a question mark.
        return new String(shown.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private String describe() {
        if (node instanceof ScalarNode scalar) {
            String text = quoted(scalar.getValue());
            String bare = text.substring(1, text.length() - 1);
            return switch (YamlScalar.kindOf(scalar)) {
                case NULL -> bare.isEmpty() ? "nothing" : "null";
                case BOOLEAN -> bare;
                case NUMBER -> "the number " + bare;
                case TEXT -> text;
                case AMBIGUOUS -> bare + ", which can be read in two ways without quotes";
            };
        }
        if (isMapping()) {
            return "a mapping";
        }
        return isList() ? "a list" : "the tag " + quoted(node.getTag().getValue());
    }
}
