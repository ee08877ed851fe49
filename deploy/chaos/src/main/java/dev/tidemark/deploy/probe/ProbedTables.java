package dev.tidemark.deploy.probe;

import java.nio.charset.StandardCharsets;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.RowJson;

/** Finds the table and the index to watch in what the writer says about its tables. */
final class ProbedTables {
    private static final String ADVICE = "; add this to the catalog of both services, or name another table with"
            + " --table and --index:\n"
            + "  canary:\n"
            + "    primaryKey: id\n"
            + "    partitions: 4\n"
            + "    indexes:\n"
            + "      by_id: { key: [id], projection: [value] }";

    private ProbedTables() {}

    /**
     * The table of that name in the answer to {@code GET /v1/tables}. Tables are written there as in the catalog file,
     * of which JSON is a dialect.
     */
    static TableDefinition table(JsonNode answer, String name) throws CannotProbeException {
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
                    .orElseThrow(() -> new CannotProbeException("there is no table " + name + ADVICE));
        } catch (CatalogException e) {
            throw new CannotProbeException("the writer describes its tables in a way that is not understood: "
                    + String.join("; ", e.problems()));
        }
    }

    /** The index of that name; the first one of the table when the name is empty. */
    static IndexDefinition index(TableDefinition table, String name) throws CannotProbeException {
        List<IndexDefinition> indexes = table.indexes();
        return indexes.stream()
                .filter(index -> name.isEmpty()
                        || index.name().equals(name)
                        || index.qualifiedName().equals(name))
                .findFirst()
                .orElseThrow(() -> new CannotProbeException("table " + table.name() + " has no index " + name
                        + ", it has "
                        + indexes.stream().map(IndexDefinition::name).toList()));
    }
}
