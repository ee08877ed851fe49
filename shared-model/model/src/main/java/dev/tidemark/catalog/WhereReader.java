package dev.tidemark.catalog;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.tidemark.index.Condition;
import dev.tidemark.index.Condition.Operator;
import dev.tidemark.index.RowFilter;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;

/** Reads {@code where}: per field a value, or operators with their operands. */
final class WhereReader {
    private static final String OPERATORS = Stream.of(Operator.values())
            .filter(operator -> operator != Operator.ABSENT)
            .map(WhereReader::name)
            .collect(Collectors.joining(", "));
    private static final String VALUE = "true, false, a number or text";

    private final List<Condition> conditions = new ArrayList<>();
    private boolean complete = true;

    private WhereReader() {}

    static Optional<RowFilter> read(YamlNode node) {
        WhereReader reader = new WhereReader();
        Optional<List<YamlNode.Entry>> fields = node.entries("a mapping from fields to conditions");
        fields.ifPresent(entries -> entries.forEach(reader::field));
        if (node.isEmptyMapping()) {
            node.problem("found no condition", "at least one; leave where out for an index over every row");
            return Optional.empty();
        }
        return fields.isPresent() && reader.complete ? Optional.of(new RowFilter(reader.conditions)) : Optional.empty();
    }

    private void field(YamlNode.Entry entry) {
        Optional<FieldPath> path = FieldReader.parsed(entry.key(), entry.name());
        if (path.isEmpty()) {
            complete = false;
        } else if (entry.value().isMapping()) {
            operators(path.get(), entry.value());
        } else {
            add(path.get(), Operator.EQ, operand(entry.value(), VALUE + ", or a mapping with " + OPERATORS));
        }
    }

    private void operators(FieldPath path, YamlNode node) {
        List<YamlNode.Entry> entries = node.entries(OPERATORS).orElse(List.of());
        if (node.isEmptyMapping()) {
            node.problem("found no condition for field " + path, "at least one of " + OPERATORS);
        }
        complete &= !entries.isEmpty();
        entries.forEach(entry -> operator(path, entry));
    }

    private void operator(FieldPath path, YamlNode.Entry entry) {
        Optional<Operator> operator = Stream.of(Operator.values())
                .filter(known -> known != Operator.ABSENT && name(known).equals(entry.name()))
                .findFirst();
        if (operator.isEmpty()) {
            entry.key().problem("unknown operator " + YamlNode.quoted(entry.name()), "one of " + OPERATORS);
            complete = false;
            return;
        }
        switch (operator.get()) {
            case EXISTS -> exists(path, entry.value());
            case IN, NOT_IN -> add(path, operator.get(), operands(entry));
            default -> add(path, operator.get(), operand(entry.value(), VALUE));
        }
    }

    private void exists(FieldPath path, YamlNode node) {
        Optional<Boolean> exists = node.bool("true or false for exists");
        add(path, exists.orElse(true) ? Operator.EXISTS : Operator.ABSENT, exists.map(given -> List.of()));
    }

    private static Optional<List<FieldValue>> operand(YamlNode node, String expected) {
        if (node.isNull()) {
            node.unexpected("a value; for rows without the field write {exists: false}");
            return Optional.empty();
        }
        return node.value(expected).map(List::of);
    }

    private static Optional<List<FieldValue>> operands(YamlNode.Entry entry) {
        List<YamlNode> elements =
                entry.value().elements("a list of values for " + entry.name()).orElse(List.of());
        Set<FieldValue> values = new LinkedHashSet<>();
        for (YamlNode element : elements) {
            Optional<List<FieldValue>> value = operand(element, VALUE);
            if (value.isPresent() && !values.addAll(value.get())) {
                element.problem("found a value that is in the list already", "each value once");
            }
        }
        return !values.isEmpty() && values.size() == elements.size()
                ? Optional.of(List.copyOf(values))
                : Optional.empty();
    }

    private void add(FieldPath path, Operator operator, Optional<List<FieldValue>> operands) {
        if (operands.isPresent()) {
            conditions.add(new Condition(path, operator, operands.get()));
        } else {
            complete = false;
        }
    }

    private static String name(Operator operator) {
        return operator.name().toLowerCase(Locale.ROOT);
    }
}
