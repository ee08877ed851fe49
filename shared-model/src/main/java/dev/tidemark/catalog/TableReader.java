package dev.tidemark.catalog;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;

/** Reads one table of the catalog. */
final class TableReader {
    private static final List<String> KEYS = List.of("primaryKey", "partitions", "indexes");
    private static final String PRIMARY_KEY = "a field or a list of fields";
    private static final String PARTITIONS = "1 to " + TableDefinition.MAX_PARTITIONS + " partitions";
    private static final int DEFAULT_PARTITIONS = 4;

    private TableReader() {}

    static Optional<TableDefinition> read(YamlNode.Entry entry) {
        boolean named = isName(entry);
        Optional<YamlFields> fields = YamlFields.of(entry.value(), "table " + entry.name(), KEYS);
        if (fields.isEmpty()) {
            return Optional.empty();
        }
        Optional<List<FieldPath>> primaryKey =
                fields.get().required("primaryKey", PRIMARY_KEY).flatMap(TableReader::primaryKey);
        Optional<Integer> partitions =
                fields.get().get("partitions").map(TableReader::partitions).orElse(Optional.of(DEFAULT_PARTITIONS));
        Optional<List<IndexDefinition>> indexes = fields.get()
                .get("indexes")
                .map(node -> indexes(entry.name(), node))
                .orElse(Optional.of(List.of()));
        if (!named || primaryKey.isEmpty() || partitions.isEmpty() || indexes.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new TableDefinition(entry.name(), primaryKey.get(), partitions.get(), indexes.get()));
    }

    private static Optional<List<FieldPath>> primaryKey(YamlNode node) {
        return node.isList()
                ? node.elements(PRIMARY_KEY).flatMap(FieldReader::all)
                : FieldReader.path(node, PRIMARY_KEY).map(List::of);
    }

    private static Optional<Integer> partitions(YamlNode node) {
        Optional<FieldValue> value = node.value(PARTITIONS);
        if (value.isPresent()
                && value.get() instanceof FieldValue.Num number
                && number.value().scale() <= 0
                && number.value().compareTo(BigDecimal.ONE) >= 0
                && number.value().compareTo(BigDecimal.valueOf(TableDefinition.MAX_PARTITIONS)) <= 0) {
            return Optional.of(number.value().intValueExact());
        }
        value.ifPresent(other -> node.unexpected(PARTITIONS));
        return Optional.empty();
    }

    private static Optional<List<IndexDefinition>> indexes(String table, YamlNode node) {
        Optional<List<YamlNode.Entry>> entries = node.entries("a mapping from index names to indexes");
        if (entries.isEmpty()) {
            return Optional.empty();
        }
        List<IndexDefinition> indexes = new ArrayList<>();
        for (YamlNode.Entry entry : entries.get()) {
            boolean named = isName(entry);
            IndexReader.read(table, entry.name(), entry.value())
                    .filter(index -> named)
                    .ifPresent(indexes::add);
        }
        return indexes.size() == entries.get().size() ? Optional.of(indexes) : Optional.empty();
    }

    private static boolean isName(YamlNode.Entry entry) {
        boolean valid = TableDefinition.NAME.matcher(entry.name()).matches();
        if (!valid) {
            entry.key()
                    .problem(
                            "bad name " + YamlNode.quoted(entry.name()),
                            "a name that matches " + TableDefinition.NAME.pattern());
        }
        return valid;
    }
}
