package dev.tidemark.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;

/** Reads one index of a table. */
final class IndexReader {
    private static final List<String> INDEX_KEYS = List.of("key", "projection", "where");
    private static final List<String> PART_KEYS = List.of("field", "order", "each");
    private static final String KEY = "a list of key parts such as [town, {field: year, order: desc}]";
    private static final String PROJECTION = "all, keys_only or a list of fields as projection";

    private IndexReader() {}

    static Optional<IndexDefinition> read(String table, String name, YamlNode node) {
        Optional<YamlFields> fields = YamlFields.of(node, "index " + name, INDEX_KEYS);
        if (fields.isEmpty()) {
            return Optional.empty();
        }
        Optional<List<KeyPart>> key = fields.get().required("key", KEY).flatMap(IndexReader::key);
        Optional<YamlNode> projectionNode = fields.get().get("projection");
        Optional<Projection> projection =
                projectionNode.isPresent() ? projection(projectionNode.get()) : Optional.of(new Projection.KeysOnly());
        Optional<YamlNode> whereNode = fields.get().get("where");
        Optional<RowFilter> where =
                whereNode.isPresent() ? WhereReader.read(whereNode.get()) : Optional.of(RowFilter.NONE);
        if (key.isEmpty() || projection.isEmpty() || where.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new IndexDefinition(table, name, key.get(), projection.get(), where.get()));
    }

    private static Optional<List<KeyPart>> key(YamlNode node) {
        List<YamlNode> elements = node.elements(KEY).orElse(List.of());
        FieldReader fields = new FieldReader();
        List<KeyPart> parts = new ArrayList<>();
        boolean each = false;
        for (YamlNode element : elements) {
            Optional<KeyPart> part = part(element, fields);
            if (part.isPresent() && part.get().each() && each) {
                element.problem("found a second part with each", "at most one in an index");
                return Optional.empty();
            }
            each |= part.isPresent() && part.get().each();
            part.ifPresent(parts::add);
        }
        return !parts.isEmpty() && parts.size() == elements.size() ? Optional.of(parts) : Optional.empty();
    }

    private static Optional<KeyPart> part(YamlNode node, FieldReader fields) {
        if (!node.isMapping()) {
            return fields.next(node).map(path -> new KeyPart(path, Order.ASC, false));
        }
        Optional<YamlFields> details = YamlFields.of(node, "the key part", PART_KEYS);
        if (details.isEmpty()) {
            return Optional.empty();
        }
        Optional<FieldPath> path =
                details.get().required("field", "a field name").flatMap(fields::next);
        Optional<Order> order =
                details.get().get("order").map(IndexReader::order).orElse(Optional.of(Order.ASC));
        Optional<Boolean> each =
                details.get().get("each").map(IndexReader::each).orElse(Optional.of(false));
        if (path.isEmpty() || order.isEmpty() || each.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new KeyPart(path.get(), order.get(), each.get()));
    }

    private static Optional<Order> order(YamlNode node) {
        String expected = "asc or desc as order";
        Optional<String> text = node.text(expected);
        if (text.isPresent() && text.get().equals("asc")) {
            return Optional.of(Order.ASC);
        }
        if (text.isPresent() && text.get().equals("desc")) {
            return Optional.of(Order.DESC);
        }
        text.ifPresent(other -> node.unexpected(expected));
        return Optional.empty();
    }

    private static Optional<Boolean> each(YamlNode node) {
        String expected = "true or false for each";
        Optional<FieldValue> value = node.value(expected);
        if (value.isPresent() && value.get() instanceof FieldValue.Bool each) {
            return Optional.of(each.value());
        }
        value.ifPresent(other -> node.unexpected(expected));
        return Optional.empty();
    }

    private static Optional<Projection> projection(YamlNode node) {
        if (node.isList()) {
            return node.elements(PROJECTION).flatMap(FieldReader::all).map(Projection.Fields::new);
        }
        Optional<String> text = node.text(PROJECTION);
        if (text.isPresent() && text.get().equals("all")) {
            return Optional.of(new Projection.All());
        }
        if (text.isPresent() && text.get().equals("keys_only")) {
            return Optional.of(new Projection.KeysOnly());
        }
        text.ifPresent(other -> node.unexpected(PROJECTION));
        return Optional.empty();
    }
}
