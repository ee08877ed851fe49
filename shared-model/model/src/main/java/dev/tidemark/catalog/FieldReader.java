package dev.tidemark.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.tidemark.row.FieldPath;

/** Reads the fields of one list, and reports a field that is there already, whole or in part. */
final class FieldReader {
    private static final String FIELD = "a field name, or names joined by dots";

    /**
     * By its dotted name and one more dot. A field with another one inside comes right before that one, because none of
     * them is inside another one.
     */
    private final NavigableMap<String, FieldPath> taken = new TreeMap<>();

    /** Reads a field, and compares it with no other field of the list. */
    static Optional<FieldPath> path(YamlNode node, String expected) {
        return node.text(expected).flatMap(text -> parsed(node, text));
    }

    /** A field that is spelled as the given text. */
    static Optional<FieldPath> parsed(YamlNode node, String text) {
        try {
            return Optional.of(FieldPath.parse(text));
        } catch (IllegalArgumentException e) {
            node.problem("found " + YamlNode.quoted(text), FIELD);
            return Optional.empty();
        }
    }

    /** The next field of the list. */
    Optional<FieldPath> next(YamlNode node) {
        return path(node, FIELD).filter(path -> admits(node, path));
    }

    /** All fields of a list; empty when one of them is wrong. */
    static Optional<List<FieldPath>> all(List<YamlNode> nodes) {
        FieldReader reader = new FieldReader();
        List<FieldPath> paths = new ArrayList<>();
        nodes.forEach(node -> reader.next(node).ifPresent(paths::add));
        return paths.size() == nodes.size() ? Optional.of(paths) : Optional.empty();
    }

    private boolean admits(YamlNode node, FieldPath path) {
        String name = path + ".";
        Optional<FieldPath> other = Stream.of(
                        Optional.ofNullable(taken.floorEntry(name)).filter(outer -> name.startsWith(outer.getKey())),
                        Optional.ofNullable(taken.ceilingEntry(name))
                                .filter(inner -> inner.getKey().startsWith(name)))
                .flatMap(Optional::stream)
                .map(Map.Entry::getValue)
                .findFirst();
        if (other.isEmpty()) {
            taken.put(name, path);
        } else if (other.get().equals(path)) {
            node.problem("field " + path + " is there already", "each field once");
        } else {
            node.problem("field " + path + " overlaps with field " + other.get(), "fields apart from each other");
        }
        return other.isEmpty();
    }
}
