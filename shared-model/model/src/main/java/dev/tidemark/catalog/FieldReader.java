package dev.tidemark.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.row.FieldPath;

/** Reads the fields of one list, and reports a field that is there already, whole or in part. */
final class FieldReader {
    private static final String FIELD = "a field name, or names joined by dots";

    private final List<FieldPath> taken = new ArrayList<>();

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
        for (FieldPath other : taken) {
            if (other.equals(path)) {
                node.problem("field " + path + " is there already", "each field once");
                return false;
            }
            if (isInside(other, path) || isInside(path, other)) {
                node.problem("field " + path + " overlaps with field " + other, "fields apart from each other");
                return false;
            }
        }
        taken.add(path);
        return true;
    }

    private static boolean isInside(FieldPath inner, FieldPath outer) {
        List<String> names = outer.segments();
        return inner.segments().size() > names.size()
                && inner.segments().subList(0, names.size()).equals(names);
    }
}
