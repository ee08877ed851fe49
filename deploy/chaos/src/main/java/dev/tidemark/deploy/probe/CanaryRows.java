package dev.tidemark.deploy.probe;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.tidemark.catalog.BadKeyException;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;

/**
 * The rows of one prober: one in each partition of the index, all found by one query. Their last key field differs, and
 * every other field of the two keys holds the name of the run, so that two probers do not meet.
 *
 * @param run its name
 * @param names the last key field of each row, by partition of a global index, or of the table
 */
record CanaryRows(TableDefinition table, IndexDefinition index, String run, List<String> names) {
    /** More partitions than this are more than one query answers. */
    static final int MAX_PARTITIONS = 100;

    private static final String VALUE = "value";
    // Of n partitions the last one is found after about n ln n names; this is far more.
    private static final int MOST_NAMES = 100_000;
    private static final String ADVICE = "; add this to the catalog of both services, or name another table with"
            + " --table and --index:\n"
            + "  canary:\n"
            + "    primaryKey: id\n"
            + "    partitions: 4\n"
            + "    indexes:\n"
            + "      by_id: { key: [id], projection: [value] }";

    /**
     * Rows for every partition.
     *
     * @param partitions that answer for the index
     * @param run begins with a letter, so that it is text wherever it stands
     */
    static CanaryRows choose(TableDefinition table, IndexDefinition index, int partitions, String run)
            throws Probe.CannotProbeException {
        if (partitions < 1 || partitions > MAX_PARTITIONS) {
            throw new Probe.CannotProbeException("index " + index.qualifiedName() + " has " + partitions
                    + " partitions, and from 1 to " + MAX_PARTITIONS + " can be watched");
        }
        if (!index.where().conditions().isEmpty()) {
            throw new Probe.CannotProbeException(
                    "index " + index.qualifiedName() + " holds only some rows; choose one without where");
        }
        List<String> names = new ArrayList<>(Collections.nCopies(partitions, ""));
        CanaryRows rows = new CanaryRows(table, index, run, names);
        for (int i = 0; i < MOST_NAMES && names.contains(""); i++) {
            String name = run + "-" + i;
            int partition = rows.partitionOf(name);
            names.set(partition, names.get(partition).isEmpty() ? name : names.get(partition));
        }
        if (names.contains("")) {
            throw new Probe.CannotProbeException("no row was found for some partition of index "
                    + index.qualifiedName() + "; the key of a global one has to begin with the last field of the"
                    + " primary key");
        }
        return rows;
    }

    /** How many there are. */
    int count() {
        return names.size();
    }

    /** The primary key of a partition's row. */
    List<String> key(int partition) {
        List<String> parts =
                new ArrayList<>(Collections.nCopies(table.primaryKey().size(), run));
        parts.set(parts.size() - 1, names.get(partition));
        return parts;
    }

    /** A partition's row with some value. */
    ObjectNode row(int partition, long value) {
        return row(names.get(partition), value);
    }

    /** The query that finds all rows. */
    Map<String, String> query() {
        FieldPath first = index.key().get(0).field();
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put(varies(first) ? first + ".prefix" : first.toString(), varies(first) ? run + "-" : run);
        parameters.put("limit", Integer.toString(count()));
        return parameters;
    }

    /** By partition, the version that an answer shows. */
    List<RowVersion> visible(JsonNode answer) {
        List<RowVersion> visible = new ArrayList<>(Collections.nCopies(count(), RowVersion.NONE));
        for (JsonNode entry : answer.path("entries")) {
            int partition = chosenFor(entry);
            if (partition >= 0) {
                visible.set(partition, RowVersion.parse(entry.path("version").asText()));
            }
        }
        return visible;
    }

    /** Whether an answer has a row in another partition than it was chosen for. */
    boolean moved(JsonNode answer) {
        return StreamSupport.stream(answer.path("entries").spliterator(), false)
                .filter(entry -> entry.path("shard").isInt() && chosenFor(entry) >= 0)
                .anyMatch(entry -> entry.path("shard").asInt() != chosenFor(entry));
    }

    private int chosenFor(JsonNode entry) {
        JsonNode key = entry.path("primaryKey");
        return names.indexOf((key.isArray() ? key.path(key.size() - 1) : key).asText());
    }

    private int partitionOf(String name) throws Probe.CannotProbeException {
        try {
            KeyBytes key = table.keyOf(row(name, 0));
            FieldPath first = index.key().get(0).field();
            return index.isGlobal()
                    ? index.partitionOf(new FieldValue.Text(varies(first) ? name : run), key)
                    : key.partition(count());
        } catch (BadKeyException e) {
            throw new Probe.CannotProbeException(e.getMessage());
        }
    }

    private ObjectNode row(String name, long value) {
        ObjectNode row = JsonNodeFactory.instance.objectNode();
        row.put(VALUE, value);
        for (KeyPart part : index.key()) {
            TextNode text = TextNode.valueOf(run);
            part.field().put(row, part.each() ? row.arrayNode().add(text) : text);
        }
        for (FieldPath field : table.primaryKey()) {
            field.put(row, TextNode.valueOf(varies(field) ? name : run));
        }
        return row;
    }

    private boolean varies(FieldPath field) {
        return field.equals(table.primaryKey().get(table.primaryKey().size() - 1));
    }

    /**
     * The table of that name in the answer to {@code GET /v1/tables}. Tables are written there as in the catalog file,
     * of which JSON is a dialect.
     */
    static TableDefinition table(JsonNode answer, String name) throws Probe.CannotProbeException {
        ObjectNode root = RowJson.mapper().createObjectNode();
        ObjectNode tables = root.putObject("tables");
        for (JsonNode table : answer.path("tables")) {
            ObjectNode body = tables.putObject(table.path("name").asText());
            body.set("primaryKey", table.path("primaryKey"));
            body.set("partitions", table.path("partitions"));
            ObjectNode indexes = body.putObject("indexes");
            table.path("indexes").properties().forEach(index -> {
                ObjectNode definition = index.getValue().deepCopy();
                if (definition.path("where").isEmpty()) {
                    definition.remove("where");
                }
                indexes.set(index.getKey(), definition);
            });
        }
        try {
            String text = new String(RowJson.write(root), StandardCharsets.UTF_8);
            return CatalogReader.read("/v1/tables", text)
                    .table(name)
                    .orElseThrow(() -> new Probe.CannotProbeException("there is no table " + name + ADVICE));
        } catch (CatalogException e) {
            throw new Probe.CannotProbeException("the writer describes its tables in a way that is not understood: "
                    + String.join("; ", e.problems()));
        }
    }

    /** The index of that name; the first one of the table when the name is empty. */
    static IndexDefinition index(TableDefinition table, String name) throws Probe.CannotProbeException {
        List<IndexDefinition> indexes = table.indexes();
        return indexes.stream()
                .filter(index -> name.isEmpty()
                        || index.name().equals(name)
                        || index.qualifiedName().equals(name))
                .findFirst()
                .orElseThrow(() -> new Probe.CannotProbeException("table " + table.name() + " has no index " + name
                        + ", it has "
                        + indexes.stream().map(IndexDefinition::name).toList()));
    }
}
