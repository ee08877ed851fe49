package dev.tidemark.deploy.drill;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.drill.history.DrillFindings;
import dev.tidemark.deploy.drill.history.DrillFindings.Kind;
import dev.tidemark.deploy.drill.history.ExpectedState;
import dev.tidemark.deploy.drill.load.DrillTables;
import dev.tidemark.deploy.oracle.Differences;
import dev.tidemark.deploy.oracle.ExpectedEntries;
import dev.tidemark.deploy.oracle.Fact;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.Projection;
import dev.tidemark.row.RowJson;

/**
 * Compares everything while no client writes: the lag is zero, every row is one that its client's answers permit, and
 * every index holds exactly the entries that its table calls for, in order.
 */
record Inspection(TableScanner reading, ExpectedState ledger, DrillFindings findings) {

    /**
     * Makes sure that the indexes of a catalog have everything that is committed now, and are ready.
     *
     * @param committed what the writer's clock showed after the last write
     */
    void requireLagZero(String catalog, Instant committed) throws NotSettledException, InterruptedException {
        for (String name : DrillTables.WRITTEN) {
            for (IndexDefinition index : DrillTables.table(catalog, name).indexes()) {
                Instant complete = reading.completeUpTo(index.qualifiedName());
                if (complete.isBefore(committed)) {
                    throw new NotSettledException(
                            index.qualifiedName() + " is complete up to " + complete + " and not to " + committed);
                }
                JsonNode lifecycleState = reading.describe(index.qualifiedName());
                if (!lifecycleState.path("projection").equals(shown(index.projection()))) {
                    throw new NotSettledException(
                            "the worker does not know the newest definition of " + index.qualifiedName());
                }
                String state = lifecycleState.path("life").path("state").asText();
                if (!state.equals("ready")) {
                    throw new NotSettledException(index.qualifiedName() + " is " + state + ": "
                            + lifecycleState.path("life").path("cause").asText());
                }
            }
        }
    }

    /** A projection as the worker shows it. */
    private static JsonNode shown(Projection projection) {
        if (projection instanceof Projection.Fields fields) {
            ArrayNode list = RowJson.mapper().createArrayNode();
            fields.paths().forEach(path -> list.add(path.toString()));
            return list;
        }
        return TextNode.valueOf(projection instanceof Projection.All ? "all" : "keys_only");
    }

    /** Compares everything. When something cannot be read, nothing is noted. */
    void compare(String catalog) throws NotSettledException, InterruptedException {
        List<String> complaints = new ArrayList<>();
        long rows = 0;
        long entries = 0;
        for (String name : DrillTables.WRITTEN) {
            TableDefinition table = DrillTables.table(catalog, name);
            List<Fact> facts = reading.facts(name);
            complaints.addAll(ledger.complaintsAbout(name, facts));
            rows += facts.size();
            for (IndexDefinition index : table.indexes()) {
                entries += compare(table, index, facts, complaints);
            }
        }
        findings.count(Kind.ROWS, rows);
        findings.count(Kind.ENTRIES, entries);
        findings.differ(complaints);
    }

    private long compare(TableDefinition table, IndexDefinition index, List<Fact> facts, List<String> complaints)
            throws NotSettledException, InterruptedException {
        String name = index.qualifiedName();
        List<String> expected = ExpectedEntries.of(table, index, facts);
        List<String> found =
                reading.entries(name).stream().map(ExpectedEntries::textOf).toList();
        complaints.addAll(Differences.between(name, expected, found));
        long told = reading.describe(name).path("entries").asLong(-1);
        if (told != expected.size()) {
            complaints.add(name + " says that it has " + told + " entries, but has to have " + expected.size());
        }
        return expected.size();
    }
}
