package dev.tidemark.catalog;

import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/**
 * Reads a catalog file strictly. An unknown, missing or repeated member, or one of the wrong type, is a problem, and
 * all problems are reported together. The defaults are {@code partitions} 4, {@code projection} {@code keys_only} and
 * {@code order} {@code asc}.
 */
public final class CatalogReader {
    /** Largest catalog file, in bytes. */
    public static final int MAX_SIZE = 1024 * 1024;

    /** Heap that a byte of a catalog takes while it is read, about. */
    public static final long HEAP_BYTES_A_BYTE = 64;

    private static final int MAX_DEPTH = 16;
    private static final int MAX_ALIASES = 50;

    private CatalogReader() {}

    /**
     * Reads a catalog from text in UTF-8.
     *
     * @param name what messages call the text
     * @throws CatalogException when the bytes are not UTF-8, or the text is not a catalog
     */
    public static Catalog read(String name, byte[] text) throws CatalogException {
        if (!RowJson.isUtf8(text)) {
            throw new CatalogException(List.of(name + ": expected text in UTF-8, but got bytes that are none"));
        }
        return read(name, new String(text, StandardCharsets.UTF_8));
    }

    /**
     * Reads a catalog from text.
     *
     * @param name what messages call the text
     * @throws CatalogException when the text is not a catalog
     */
    public static Catalog read(String name, String text) throws CatalogException {
        Problems problems = new Problems(name);
        List<TableDefinition> tables = new ArrayList<>();
        try {
            Node root = new Yaml(options()).compose(new StringReader(text));
            if (root == null) {
                problems.add(1, 1, "the file is empty; expected a mapping with the key tables");
            } else if (AliasBound.isExceeded(root)) {
                problems.add(
                        1,
                        1,
                        "found aliases that repeat too much; expected at most " + AliasBound.MOST_VALUES
                                + " values with each alias written out");
            } else {
                readTables(new YamlNode(root, problems), tables, TableDefinition.MAX_INDEXES);
            }
        } catch (MarkedYAMLException e) {
            problems.add(e.getProblemMark(), "not YAML: " + firstLine(e.getProblem()) + "; expected a YAML mapping");
        } catch (YAMLException e) {
            problems.add(1, 1, "not YAML: " + firstLine(String.valueOf(e.getMessage())) + "; expected a YAML mapping");
        }
        problems.throwIfAny();
        return new Catalog(tables);
    }

    /**
     * Reads a catalog from a text that is said to be JSON.
     *
     * @param name what messages call the text
     * @throws CatalogException when the text is not JSON, or not a catalog
     */
    public static Catalog readJson(String name, byte[] text) throws CatalogException {
        ObjectNode json;
        try {
            json = RowJson.parseEnvelope(text);
        } catch (BadJsonException e) {
            throw new CatalogException(List.of(name + ": " + e.getMessage()));
        }
        return read(name, json);
    }

    /**
     * Reads a catalog from JSON. YAML text would not do: it takes no long name of a field, and has other line breaks
     * than JSON, which it folds.
     *
     * @throws CatalogException when it is not a catalog, or larger than {@link #MAX_SIZE}
     */
    public static Catalog read(String name, ObjectNode json) throws CatalogException {
        return read(name, json, TableDefinition.MAX_INDEXES);
    }

    /** Reads one that was in force, by an earlier version perhaps, whose tables could have any number of indexes. */
    static Catalog readAccepted(String name, ObjectNode json) throws CatalogException {
        return read(name, json, Integer.MAX_VALUE);
    }

    private static Catalog read(String name, ObjectNode json, int mostIndexes) throws CatalogException {
        Problems problems = new Problems(name);
        List<TableDefinition> tables = new ArrayList<>();
        int bytes = RowJson.write(json).length;
        if (bytes > MAX_SIZE) {
            problems.add("found " + bytes + " bytes; expected at most " + MAX_SIZE);
        } else {
            readTables(YamlNode.of(json, problems), tables, mostIndexes);
        }
        problems.throwIfAny();
        return new Catalog(tables);
    }

    private static void readTables(YamlNode root, List<TableDefinition> tables, int mostIndexes) {
        String expected = "a mapping from table names to tables";
        root.fields("the catalog", List.of("tables"))
                .flatMap(fields -> fields.required("tables", expected, Optional::of))
                .ifPresent(node -> {
                    List<YamlNode.Entry> entries = node.entries(expected).orElse(List.of());
                    if (node.isEmptyMapping()) {
                        node.problem("found no table", "at least one");
                    }
                    entries.forEach(
                            entry -> TableReader.read(entry, mostIndexes).ifPresent(tables::add));
                });
    }

    private static LoaderOptions options() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MAX_SIZE);
        options.setNestingDepthLimit(MAX_DEPTH);
        options.setMaxAliasesForCollections(MAX_ALIASES);
        options.setAllowRecursiveKeys(false);
        return options;
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse(message);
    }
}
