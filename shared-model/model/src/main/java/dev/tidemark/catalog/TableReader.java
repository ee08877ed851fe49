package dev.tidemark.catalog;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;

/** Reads one table of the catalog with its indexes. */
final class TableReader {
    private static final String PRIMARY_KEY = "a field or a list of fields";
    private static final int DEFAULT_PARTITIONS = 4;
    private static final String SOURCE_TABLE =
            "the name of a table in the other database, such as public.customers, without blanks and of at most "
                    + RowSource.MAX_LENGTH + " characters";
    private static final String KEY = "a list of key parts such as [town, {field: year, order: desc}]";
    private static final String PROJECTION = "all, keys_only or a list of fields as projection";
    private static final Map<String, Order> ORDERS = Map.of("asc", Order.ASC, "desc", Order.DESC);
    private static final Map<String, Projection> PROJECTIONS =
            Map.of("all", new Projection.All(), "keys_only", new Projection.KeysOnly());

    private static final Map<String, Boolean> SCOPES = Map.of("local", false, "global", true);

    private TableReader() {}

    /** Partitions and salt of an index; 0 and 1 for a local one, which has the partitions of its table. */
    private record Spread(int partitions, int salt) {}

    /**
     * Reads a table.
     *
     * @param mostIndexes that it may have
     */
    static Optional<TableDefinition> read(YamlNode.Entry entry, int mostIndexes) {
        String name = entry.name();
        boolean named = isName(entry);
        return entry.value()
                .fields("table " + name, List.of("primaryKey", "partitions", "indexes", "source"))
                .flatMap(fields -> {
                    Optional<List<FieldPath>> key = fields.required("primaryKey", PRIMARY_KEY, TableReader::primaryKey);
                    Optional<Integer> partitions =
                            fields.optional("partitions", DEFAULT_PARTITIONS, TableReader::partitions);
                    Optional<List<IndexDefinition>> indexes =
                            fields.optional("indexes", List.of(), node -> indexes(name, node, mostIndexes));
                    Optional<Optional<RowSource>> source =
                            fields.optional("source", Optional.empty(), node -> source(name, node));
                    return named
                                    && key.isPresent()
                                    && partitions.isPresent()
                                    && indexes.isPresent()
                                    && source.isPresent()
                            ? Optional.of(
                                    new TableDefinition(name, key.get(), partitions.get(), indexes.get(), source.get()))
                            : Optional.empty();
                });
    }

    private static Optional<List<FieldPath>> primaryKey(YamlNode node) {
        return node.isList()
                ? node.elements(PRIMARY_KEY).flatMap(FieldReader::all)
                : FieldReader.path(node, PRIMARY_KEY).map(List::of);
    }

    private static Optional<Optional<RowSource>> source(String table, YamlNode node) {
        return node.fields("the source of table " + table, List.of("name", "table"))
                .flatMap(fields -> {
                    Optional<String> name = fields.required("name", "the name of a source", TableReader::sourceName);
                    Optional<String> from = fields.required("table", SOURCE_TABLE, TableReader::sourceTable);
                    return name.isPresent() && from.isPresent()
                            ? Optional.of(Optional.of(new RowSource(name.get(), from.get())))
                            : Optional.empty();
                });
    }

    private static Optional<String> sourceName(YamlNode node) {
        return matching(node, TableDefinition.NAME, "a name that matches " + TableDefinition.NAME.pattern());
    }

    private static Optional<String> sourceTable(YamlNode node) {
        return matching(node, RowSource.TABLE, SOURCE_TABLE);
    }

    private static Optional<String> matching(YamlNode node, Pattern pattern, String expected) {
        Optional<String> text = node.text(expected);
        Optional<String> fit = text.filter(found -> pattern.matcher(found).matches());
        if (text.isPresent() && fit.isEmpty()) {
            node.unexpected(expected);
        }
        return fit;
    }

    private static Optional<Integer> partitions(YamlNode node) {
        return number(node, TableDefinition.MAX_PARTITIONS, " partitions");
    }

    /** A whole number from 1 to some other. */
    private static Optional<Integer> number(YamlNode node, int most, String unit) {
        String expected = "1 to " + most + unit;
        Optional<FieldValue> value = node.value(expected);
        if (value.isPresent()
                && value.get() instanceof FieldValue.Num number
                && number.value().scale() <= 0
                && number.value().compareTo(BigDecimal.ONE) >= 0
                && number.value().compareTo(BigDecimal.valueOf(most)) <= 0) {
            return Optional.of(number.value().intValueExact());
        }
        value.ifPresent(other -> node.unexpected(expected));
        return Optional.empty();
    }

    private static Optional<List<IndexDefinition>> indexes(String table, YamlNode node, int most) {
        Optional<List<YamlNode.Entry>> entries = node.entries("a mapping from index names to indexes");
        if (entries.isEmpty()) {
            return Optional.empty();
        }
        if (entries.get().size() > most) {
            node.problem("found " + entries.get().size() + " indexes of table " + table, "at most " + most);
            return Optional.empty();
        }
        List<IndexDefinition> indexes = new ArrayList<>();
        for (YamlNode.Entry entry : entries.get()) {
            boolean named = isName(entry);
            index(table, entry).filter(index -> named).ifPresent(indexes::add);
        }
        return indexes.size() == entries.get().size() ? Optional.of(indexes) : Optional.empty();
    }

    private static Optional<IndexDefinition> index(String table, YamlNode.Entry entry) {
        String name = entry.name();
        return entry.value()
                .fields("index " + name, List.of("key", "projection", "where", "scope", "partitions", "salt"))
                .flatMap(fields -> {
                    Optional<List<KeyPart>> key = fields.required("key", KEY, TableReader::key);
                    Optional<Projection> projection =
                            fields.optional("projection", new Projection.KeysOnly(), TableReader::projection);
                    Optional<RowFilter> where = fields.optional("where", RowFilter.NONE, WhereReader::read);
                    Optional<Spread> spread = spread(fields);
                    return key.isPresent() && projection.isPresent() && where.isPresent() && spread.isPresent()
                            ? Optional.of(new IndexDefinition(
                                    table,
                                    name,
                                    key.get(),
                                    projection.get(),
                                    where.get(),
                                    spread.get().partitions(),
                                    spread.get().salt()))
                            : Optional.empty();
                });
    }

    private static Optional<Spread> spread(YamlNode.Fields fields) {
        Optional<Boolean> scope =
                fields.optional("scope", false, given -> given.oneOf(SCOPES, "local or global as scope"));
        boolean isLocal = scope.filter(global -> !global).isPresent();
        Optional<Integer> partitions = isLocal
                ? noneOf(fields, "partitions", 0)
                : fields.optional("partitions", DEFAULT_PARTITIONS, TableReader::partitions);
        int most = partitions.orElse(TableDefinition.MAX_PARTITIONS);
        Optional<Integer> salt = isLocal
                ? noneOf(fields, "salt", 1)
                : fields.optional("salt", 1, given -> number(given, most, " partitions as salt"));
        return scope.isPresent() && partitions.isPresent() && salt.isPresent()
                ? Optional.of(new Spread(partitions.get(), salt.get()))
                : Optional.empty();
    }

    /** Refuses an option that a local index cannot have. */
    private static Optional<Integer> noneOf(YamlNode.Fields fields, String option, int preset) {
        return fields.optional(option, preset, given -> {
            given.problem("found " + option + " of a local index", option + " with scope: global only");
            return Optional.empty();
        });
    }

    private static Optional<List<KeyPart>> key(YamlNode node) {
        List<YamlNode> elements = node.elements(KEY).orElse(List.of());
        FieldReader fields = new FieldReader();
        List<KeyPart> parts = new ArrayList<>();
        for (YamlNode element : elements) {
            Optional<KeyPart> part = part(element, fields);
            if (part.filter(KeyPart::each).isPresent() && parts.stream().anyMatch(KeyPart::each)) {
                element.problem("found a second part with each", "at most one in an index");
                return Optional.empty();
            }
            part.ifPresent(parts::add);
        }
        return !parts.isEmpty() && parts.size() == elements.size() ? Optional.of(parts) : Optional.empty();
    }

    private static Optional<KeyPart> part(YamlNode node, FieldReader fields) {
        if (!node.isMapping()) {
            return fields.next(node).map(path -> new KeyPart(path, Order.ASC, false));
        }
        return node.fields("the key part", List.of("field", "order", "each")).flatMap(details -> {
            Optional<FieldPath> path = details.required("field", "a field name", fields::next);
            Optional<Order> order =
                    details.optional("order", Order.ASC, given -> given.oneOf(ORDERS, "asc or desc as order"));
            Optional<Boolean> each = details.optional("each", false, given -> given.bool("true or false for each"));
            return path.isPresent() && order.isPresent() && each.isPresent()
                    ? Optional.of(new KeyPart(path.get(), order.get(), each.get()))
                    : Optional.empty();
        });
    }

    private static Optional<Projection> projection(YamlNode node) {
        return node.isList()
                ? node.elements(PROJECTION).flatMap(FieldReader::all).map(Projection.Fields::new)
                : node.oneOf(PROJECTIONS, PROJECTION);
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
